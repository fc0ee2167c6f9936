/**
 * English words that hold a hotword already: its forms. To whoever lists "vanish", "vanished" is no miss; written as "vanish" it would be an error, and the
 * bonus alone is worth more than the sound of two letters.
 */

const inflected = /^(?:'?s|es|e?d|ing|ly|n't|'(?:d|ll|re|ve))$/;

/** @returns whether what was recognized is a form of `entry`; case, spaces around and marks behind count nothing. */
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
