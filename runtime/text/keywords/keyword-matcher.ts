/**
 * Finds keywords in a text: in any case, Latin ones as whole words; of overlapping ones the longest. Counting and highlighting keywords must use
 * the same matches.
 */
export interface KeywordMatch {
	/** Index of the keyword, from 0. */
	readonly index: number;
	/** UTF-16 offsets; `to` is exclusive. */
	readonly from: number;
	readonly to: number;
}

export class KeywordMatcher {
	/** By first character, longest first. */
	readonly #byStart = new Map<string, { index: number; folded: string }[]>();

	constructor(keywords: readonly string[]) {
		keywords.forEach((keyword, index) => {
			const folded = fold(keyword);
			const start = folded[0];
			if (start === undefined) return;
			const same = this.#byStart.get(start) ?? [];
			same.push({ index, folded });
			this.#byStart.set(start, same);
		});
		for (const same of this.#byStart.values())
			same.sort((a, b) => b.folded.length - a.folded.length);
	}

	/** In order, not overlapping. */
	find(text: string): KeywordMatch[] {
		const folded = fold(text);
		const found: KeywordMatch[] = [];
		for (let at = 0; at < folded.length; ) {
			const match = this.#byStart
				.get(folded[at] as string)
				?.find(
					(it) =>
						folded.startsWith(it.folded, at) && isWhole(folded, at, it.folded),
				);
			if (!match) {
				at++;
				continue;
			}
			const to = at + match.folded.length;
			found.push({ index: match.index, from: at, to });
			at = to;
		}
		return found;
	}
}

/** Keeps characters whose length changes with their case, so that offsets stay valid. */
export function fold(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

const latin = /[\p{Script=Latin}\p{N}]/u;

/** AI does not match in PAID. */
function isWhole(text: string, from: number, word: string): boolean {
	const joins = (one: string | undefined, other: string | undefined) =>
		latin.test(one ?? " ") && latin.test(other ?? " ");
	return (
		!joins(text[from - 1], word[0]) &&
		!joins(word.at(-1), text[from + word.length])
	);
}
