/** A prompt as hotwords: clients use it for a list of names. Prose is not such a list; it has no effect, since none of it may be written into the text. */

const wordsMax = 100;
const wordCharactersMax = 30;
const separators = /[,，、\n]/u;

/** @returns the words; empty where the prompt is anything but short words between commas or line ends. */
export function promptWords(prompt: string): readonly string[] {
	const words = prompt
		.split(separators)
		.map((it) => it.trim())
		.filter((it) => it !== "");
	const isList =
		words.length <= wordsMax &&
		words.every((word) => [...word].length <= wordCharactersMax);
	return isList ? words : [];
}
