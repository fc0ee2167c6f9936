/**
 * Finds the longest of many words at a position in a text, with a few comparisons per position however many words there are.
 */
export class PrefixTable {
	readonly #byFirst = new Map<string, string[]>();

	constructor(words: Iterable<string>) {
		for (const word of words) {
			const first = word[0];
			if (first === undefined) continue;
			const same = this.#byFirst.get(first);
			if (same) same.push(word);
			else this.#byFirst.set(first, [word]);
		}
		for (const same of this.#byFirst.values())
			same.sort((a, b) => b.length - a.length);
	}

	/** The longest word that begins at `at`. */
	longestAt(text: string, at: number): string | undefined {
		return this.#byFirst
			.get(text[at] ?? "")
			?.find((word) => text.startsWith(word, at));
	}
}

/** Whether one of a few words ends at `at`. */
export function endsWithAny(
	text: string,
	at: number,
	words: readonly string[],
): boolean {
	return words.some((word) => text.endsWith(word, at));
}

/** Whether one of a few words begins at `at`. */
export function startsWithAny(
	text: string,
	at: number,
	words: readonly string[],
): boolean {
	return words.some((word) => text.startsWith(word, at));
}
