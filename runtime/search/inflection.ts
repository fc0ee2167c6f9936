/**
 * Inflected forms of English hotwords. If the list has "vanish", a recognized "vanished" is correct; replacing it with "vanish" would be an error, but the
 * bonus outweighs the sound of two letters.
 */

const inflected = /^(?:'?s|es|e?d|ing|ly|n't|'(?:d|ll|re|ve))$/;

/** @returns whether the recognized text is a form of `entry`, ignoring case, surrounding spaces and trailing marks. */
export function isFormOf(recognized: string, entry: string): boolean {
	const form = bare(recognized);
	const stem = bare(entry);
	if (!/[a-z]$/.test(stem)) return false;
	if (form.startsWith(stem)) return inflected.test(form.slice(stem.length));
	// "hoping" of "hope", "tried" of "try"
	const short = stem.slice(0, -1);
	if (stem.endsWith("e")) return form === `${short}ing`;
	return stem.endsWith("y") && /^ie[ds]$/.test(form.slice(short.length))
		? form.startsWith(short)
		: false;
}

function bare(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replaceAll("’", "'")
		.replace(/^\s+|[\s.,;:!?]+$/g, "");
}
