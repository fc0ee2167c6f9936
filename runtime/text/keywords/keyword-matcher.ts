/**
 * Where keywords stand in a text: in any case, Latin ones as whole words, and where one lies within another only the longer one. What counts them and what
 * shows them must find the same.
 */
export interface KeywordMatch {
	/** Of the keyword, from 0. */
	readonly index: number;
	/** UTF-16 offsets; `to` is excluded. */
	readonly from: number;
	readonly to: number;
}

export class KeywordMatcher {
	/** By their first character, the longest first. */
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

	/** In order, apart from each other. */
	find(text: string): KeywordMatch[] {
		const folded = fold(text);
		const found: KeywordMatch[] = [];
		for (let at = 0; at < folded.length; ) {
			const hit = this.#byStart
				.get(folded[at] as string)
				?.find(
					(it) =>
						folded.startsWith(it.folded, at) && isWhole(folded, at, it.folded),
				);
			if (!hit) {
				at++;
				continue;
			}
			const to = at + hit.folded.length;
			found.push({ index: hit.index, from: at, to });
			at = to;
		}
		return found;
	}
}

/** Characters that change their length with their case stay as they are, so that places stay. */
export function fold(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

const latin = /[\p{Script=Latin}\p{N}]/u;

/** AI is none in PAID. */
function isWhole(text: string, from: number, word: string): boolean {
	const joins = (one: string | undefined, other: string | undefined) =>
		latin.test(one ?? " ") && latin.test(other ?? " ");
	return (
		!joins(text[from - 1], word[0]) &&
		!joins(word.at(-1), text[from + word.length])
	);
}
