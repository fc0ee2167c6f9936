/** A prompt as hotwords: clients use it for a list of names. Prose is not such a list; it has no effect, since none of it may be written into the text. */

/** UTF-16 units: what is longer is no list of so many words, and is not looked into. Programs send whole transcripts as the context. */
const listUnitsMax = 16 * 1024;
const wordsMax = 100;
const wordCharactersMax = 30;
const separators = /[,，、\n]/u;
/** In Chinese and Japanese: "以下是普通话的句子。" is what clients send to have simplified characters and punctuation. */
const easternEnd = /[。！？]$/u;
/** Also of names ("Apple Inc."), unless many words come before it. */
const westernEnd = /[.!?]$/;
const sentenceWordsMin = 4;

/**
 * Whether another encoding was read as UTF-8: most characters beyond ASCII are replacement characters then, at the beginning of a long prompt as everywhere. A
 * program that passes on what was said before cuts it somewhere, at times within a character, which leaves one at its beginning or end.
 */
export function isOfOtherEncoding(prompt: string): boolean {
	const begun = prompt.slice(0, listUnitsMax);
	const whole = begun.replace(/^\uFFFD|\uFFFD$/g, "");
	const broken = whole.match(/\uFFFD/g)?.length ?? 0;
	const others = whole.match(/[^\0-\x7F\uFFFD]/gu)?.length ?? 0;
	return broken > others;
}

/** @returns the words; empty where the prompt is anything but short words between commas or line ends. */
export function promptWords(prompt: string): readonly string[] {
	if (prompt.length > listUnitsMax) return [];
	const words = prompt
		.split(separators)
		.map((it) => it.trim())
		.filter((it) => it !== "");
	const isList =
		words.length <= wordsMax &&
		words.every((word) => [...word].length <= wordCharactersMax);
	return isList && !endsSentence(words.at(-1) ?? "")
		? words.filter((it) => !it.includes("\uFFFD"))
		: [];
}

function endsSentence(text: string): boolean {
	if (easternEnd.test(text)) return true;
	return westernEnd.test(text) && text.split(/\s+/).length >= sentenceWordsMin;
}
