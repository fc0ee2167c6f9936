/** Wake words: what an entry of a list may be, `小智小智` or, with its own threshold, `小智小智:0.6`. */

export interface WakeWord {
	readonly phrase: string;
	/** Mean probability of its sounds from which it counts as spoken, 0 to 1. */
	readonly threshold: number;
}

export const wakeWordsMax = 10;
/** Two syllables occur in ordinary speech too often. */
const syllablesMin = 3;
const syllablesMax = 10;
/** Of calls in sentences 98 % reach it, from a distance 95 %; eight words that nobody said did three times in ten hours (docs/benchmarks/wake-words.md). */
export const defaultThreshold = 0.4;
const thresholdMin = 0.05;
const thresholdMax = 0.95;

/** @returns the words, or what is wrong with the list, in words that follow its name. */
export function parseWakeWords(
	entries: readonly string[],
): readonly WakeWord[] | { readonly fault: string } {
	if (entries.length > wakeWordsMax)
		return {
			fault: `must be at most ${wakeWordsMax}, got ${entries.length}: each makes false wakes likelier`,
		};
	const words: WakeWord[] = [];
	for (const entry of entries) {
		const word = parseWakeWord(entry);
		if ("fault" in word) return word;
		if (words.some(({ phrase }) => phrase === word.phrase))
			return { fault: `has ${shown(word.phrase)} twice` };
		words.push(word);
	}
	return words;
}

function parseWakeWord(entry: string): WakeWord | { readonly fault: string } {
	const [, phrase = "", , given] =
		/^([^:：]*)([:：](.*))?$/su.exec(entry.normalize("NFC")) ?? [];
	const characters = Array.from(phrase.replaceAll(/\s/gu, ""));
	const other = characters.find((it) => !/\p{Script=Han}/u.test(it));
	if (other !== undefined || characters.length === 0)
		return {
			fault: `must be Chinese phrases, such as "小智小智" or "小智小智:0.6" with a threshold, got ${shown(entry)}`,
		};
	const count = characters.length;
	if (count < syllablesMin || count > syllablesMax)
		return {
			fault: `must have ${syllablesMin} to ${syllablesMax} syllables, but ${shown(phrase)} has ${count}: a ${count < syllablesMin ? "shorter phrase is said by chance too often" : "longer phrase is missed too often"}`,
		};
	const threshold = given === undefined ? defaultThreshold : Number(given);
	if (given === "" || !(threshold >= thresholdMin && threshold <= thresholdMax))
		return {
			fault: `must have thresholds from ${thresholdMin} to ${thresholdMax}, got ${shown(entry)}`,
		};
	return { phrase: characters.join(""), threshold };
}

function shown(text: string): string {
	return JSON.stringify(text);
}
