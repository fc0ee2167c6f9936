/**
 * Finds many phrases in a text at once. The phrases are sorted: those that match the text at a position are a range, and each further character narrows it, as
 * in a walk down a trie; but nothing is built beyond the list itself (20,000 phrases of 30 characters would be a trie of 600,000 nodes).
 *
 * INVARIANTS
 * - No regular expression is built from user input, and the work is at most the text's length times the longest phrase's (the length of entries is limited): no
 *   input makes it explode.
 * - Case and width of Latin letters and the composition of accents are ignored. Folding keeps every offset.
 * - In scripts with word boundaries (Latin, Greek, Cyrillic, digits) a phrase begins and ends at one; in Chinese and Japanese it may be anywhere. A number is
 *   one word, with its point, commas and colon. Neither end separates a character from its combining marks or splits a surrogate pair.
 */
import {
	atOnce,
	inPieces,
	type Piecewise,
	sorting,
} from "../event-loop/piecewise.js";
import type { Span } from "./language-rules.js";
import { isBorder } from "./phrase-border.js";

export interface PhraseMatch<Value> extends Span {
	readonly value: Value;
}

/** Phrases with a common beginning. */
interface Range {
	readonly from: number;
	/** Excluded. */
	readonly to: number;
}

/** Processed per step. */
const phrasesOfPiece = 50;

export class Phrases<Value> {
	/** By folded phrase. */
	readonly #values = new Map<string, { readonly value: Value }>();
	/** The same phrases sorted by UTF-16 units, */
	#sorted: readonly string[] = [];
	/** and the range of those that begin with a given unit. */
	readonly #starts = new Map<number, Range>();
	#unitsMax = 0;

	/** Compiles many phrases; of equal ones the first is kept. */
	static *compiling<Value>(
		all: Iterable<readonly [phrase: string, value: Value]>,
	): Piecewise<Phrases<Value>> {
		const phrases = new Phrases<Value>();
		yield* inPieces(all, phrasesOfPiece, ([phrase, value]) =>
			phrases.add(phrase, value),
		);
		yield* phrases.#sorting();
		return phrases;
	}

	/** Of equal phrases the first is kept. */
	add(phrase: string, value: Value): void {
		this.#addForm(fold(phrase), value);
		if (!composable.test(phrase)) return;
		this.#addForm(fold(phrase.normalize("NFC")), value);
		this.#addForm(fold(phrase.normalize("NFD")), value);
	}

	/** The matches in the text: of overlapping ones the longest, of equally long ones the first. In order, not overlapping. */
	find(text: string): PhraseMatch<Value>[] {
		const byLength = this.#matchesByLength(fold(text), text);
		const taken = new Uint8Array(text.length);
		const found: PhraseMatch<Value>[] = [];
		for (let length = byLength.length - 1; length > 0; length--)
			for (const match of byLength[length] ?? []) {
				if (taken[match.from] || taken[match.to - 1]) continue; // an earlier match is at least as long: neither of its ends can lie inside this one
				taken.fill(1, match.from, match.to);
				found.push(match);
			}
		return found.sort((one, other) => one.from - other.from);
	}

	/** Marks all that belongs to a match, of overlapping ones too. @param covered of each unit of the text */
	cover(text: string, covered: Uint8Array): void {
		for (const matches of this.#matchesByLength(fold(text), text))
			for (const { from, to } of matches ?? []) covered.fill(1, from, to);
	}

	/** Start of a phrase that the end of the text may be the beginning of; the text's length if there is none. */
	openFrom(text: string): number {
		this.#sort();
		const folded = fold(text);
		for (
			let from = Math.max(0, text.length - this.#unitsMax);
			from < text.length;
			from++
		) {
			let range = this.#starts.get(folded.charCodeAt(from));
			if (!range || !isBorder(text, from)) continue;
			for (let at = from + 1; range && at < text.length; at++)
				range = this.#narrow(range, at - from, folded.charCodeAt(at));
			// if any phrase in the range is longer, so is the last one
			const last = range && this.#sorted[range.to - 1];
			if (last && last.length > text.length - from) return from;
		}
		return text.length;
	}

	#addForm(form: string, value: Value): void {
		if (form === "" || this.#values.has(form)) return;
		this.#values.set(form, { value });
		this.#unitsMax = Math.max(this.#unitsMax, form.length);
	}

	#sort(): void {
		if (this.#sorted.length < this.#values.size) atOnce(this.#sorting());
	}

	*#sorting(): Piecewise<void> {
		const sorted = yield* sorting([...this.#values.keys()]);
		this.#sorted = sorted;
		this.#starts.clear();
		let from = 0;
		yield* inPieces(sorted, phrasesOfPiece, (_, at) => {
			const to = at + 1;
			const unit = this.#unitAt(from, 0);
			if (to < sorted.length && this.#unitAt(to, 0) === unit) return;
			this.#starts.set(unit, { from, to });
			from = to;
		});
	}

	#matchesByLength(folded: string, text: string): PhraseMatch<Value>[][] {
		this.#sort();
		const byLength: PhraseMatch<Value>[][] = [];
		for (let from = 0; from < folded.length; from++) {
			let range = this.#starts.get(folded.charCodeAt(from));
			if (!range || !isBorder(text, from)) continue;
			for (let to = from + 1; range; to++) {
				// of phrases with this beginning the shortest is first
				const first = this.#sorted[range.from] as string;
				if (first.length === to - from && isBorder(text, to)) {
					byLength[to - from] ??= [];
					const end = this.#values.get(first) as { value: Value };
					byLength[to - from]?.push({ from, to, value: end.value });
				}
				range =
					to < folded.length
						? this.#narrow(range, to - from, folded.charCodeAt(to))
						: undefined;
			}
		}
		return byLength;
	}

	/** The phrases of a range that have this unit at `place`; undefined if none has. */
	#narrow({ from, to }: Range, place: number, unit: number): Range | undefined {
		const last = this.#unitAt(to - 1, place);
		if (last < unit) return undefined;
		const first = this.#search(from, to, place, unit);
		if (this.#unitAt(first, place) !== unit) return undefined;
		const end = last === unit ? to : this.#search(first, to, place, unit + 1);
		return { from: first, to: end };
	}

	/** The first phrase of a range with this unit or a greater one at `place`. */
	#search(from: number, to: number, place: number, unit: number): number {
		let low = from;
		let high = to;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.#unitAt(middle, place) < unit) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** -1 past the end of a phrase: sorts before every unit. */
	#unitAt(index: number, place: number): number {
		const phrase = this.#sorted[index] as string;
		return place < phrase.length ? phrase.charCodeAt(place) : -1;
	}
}

/** Characters that have several compositions; plain Latin letters and Chinese characters have only one. */
const composable = /[\u00c0-\u1fff\u3040-\u30ff\uac00-\ud7a3]/;

/** Text with nothing to fold, which is most text. */
const plainHan = /^[\u3000-\u9fff]*$/;

/** One case and one width; the number of units stays the same. */
function fold(text: string): string {
	if (plainHan.test(text)) return text;
	let folded = "";
	for (const character of text) {
		const narrow = /[\uff01-\uff5e]/.test(character)
			? String.fromCharCode(character.charCodeAt(0) - 0xfee0)
			: character;
		const lower = narrow.toLowerCase();
		folded += lower.length === character.length ? lower : character;
	}
	return folded;
}
