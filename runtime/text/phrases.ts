/**
 * Many phrases looked for in a text at once. The phrases lie sorted: what begins as the text does at a place is a range of them, and each further character
 * narrows it, as one walks down a trie; but nothing is built beyond the list itself (20,000 phrases of 30 characters: a trie of 600,000 nodes).
 *
 * INVARIANTS
 * - No regular expression is made of a user's words, and the work is at most the text's length times the longest phrase's (entries are short by their
 *   rules): no input makes it explode.
 * - Case and width of Latin letters make no difference, nor does it matter how an accent is composed. Folding keeps every offset.
 * - Where letters make words (Latin, Greek, Cyrillic, digits) a phrase begins and ends where a word does; in Chinese and Japanese it may stand anywhere.
 *   Neither end cuts a character from its combining marks or its other half.
 */
import {
	atOnce,
	inPieces,
	type Piecewise,
	sorting,
} from "../event-loop/piecewise.js";
import type { Span } from "./language-rules.js";

export interface PhraseMatch<Value> extends Span {
	readonly value: Value;
}

/** Phrases that begin alike. */
interface Range {
	readonly from: number;
	/** Excluded. */
	readonly to: number;
}

/** Taken at a time. */
const phrasesOfPiece = 50;

export class Phrases<Value> {
	/** By how a phrase is folded. */
	readonly #values = new Map<string, { readonly value: Value }>();
	/** The same in the order of their UTF-16 units, */
	#sorted: readonly string[] = [];
	/** and where those are that begin with a unit. */
	readonly #starts = new Map<number, Range>();
	#unitsMax = 0;

	/** Of many phrases, ready to be found; the first of two equal ones stays. */
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

	/** The first of two equal phrases stays. */
	add(phrase: string, value: Value): void {
		this.#addForm(fold(phrase), value);
		if (!composable.test(phrase)) return;
		this.#addForm(fold(phrase.normalize("NFC")), value);
		this.#addForm(fold(phrase.normalize("NFD")), value);
	}

	/** What stands in the text: of those that overlap the longest, of equally long ones the first. In order, apart from each other. */
	find(text: string): PhraseMatch<Value>[] {
		const byLength = this.#matchesByLength(fold(text), text);
		const taken = new Uint8Array(text.length);
		const found: PhraseMatch<Value>[] = [];
		for (let length = byLength.length - 1; length > 0; length--)
			for (const match of byLength[length] ?? []) {
				if (taken[match.from] || taken[match.to - 1]) continue; // what is taken is longer: no end of it lies inside
				taken.fill(1, match.from, match.to);
				found.push(match);
			}
		return found.sort((one, other) => one.from - other.from);
	}

	/** Where the text's end may be the beginning of a phrase that goes on behind it; the text's length where it is none. */
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
			// where one goes on, so does the last of them
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
				// of those that begin so the shortest stands first
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

	/** Those of a range that have this unit at a place; undefined where none has. */
	#narrow({ from, to }: Range, place: number, unit: number): Range | undefined {
		const last = this.#unitAt(to - 1, place);
		if (last < unit) return undefined;
		const first = this.#search(from, to, place, unit);
		if (this.#unitAt(first, place) !== unit) return undefined;
		const end = last === unit ? to : this.#search(first, to, place, unit + 1);
		return { from: first, to: end };
	}

	/** The first of a range that has this unit or a greater one at a place. */
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

	/** -1 behind a phrase's end: before every unit. */
	#unitAt(index: number, place: number): number {
		const phrase = this.#sorted[index] as string;
		return place < phrase.length ? phrase.charCodeAt(place) : -1;
	}
}

/** What may be composed in two ways; plain Latin letters and Chinese characters may not. */
const composable = /[\u00c0-\u1fff\u3040-\u30ff\uac00-\ud7a3]/;

/** Nothing to fold, and most of what is folded. */
const plainHan = /^[\u3000-\u9fff]*$/;

/** One case, one width; as many units as before. */
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

/** Scripts that put no space between words. */
const unspaced =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆〇]$/u;
const ofAWord = /^[\p{L}\p{N}]$/u;
/** Belongs to what stands before it: accents, variation selectors, joiners, skin tones. */
const leansLeft = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])$/u;

/** A phrase may begin or end here. */
function isBorder(text: string, at: number): boolean {
	if (at === 0 || at === text.length) return true;
	const unit = text.charCodeAt(at);
	if (unit >= 0xdc00 && unit <= 0xdfff && isHighSurrogate(text, at - 1))
		return false;
	const after = String.fromCodePoint(text.codePointAt(at) as number);
	if (leansLeft.test(after)) return false;
	const before = characterBefore(text, at);
	if (before === "\u200d") return false;
	return !(isSpaced(before) && isSpaced(after));
}

function isHighSurrogate(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	return unit >= 0xd800 && unit <= 0xdbff;
}

/** The character before a place, without its accents. */
function characterBefore(text: string, at: number): string {
	let end = at;
	for (;;) {
		const low = text.charCodeAt(end - 1);
		const pair =
			end > 1 &&
			low >= 0xdc00 &&
			low <= 0xdfff &&
			isHighSurrogate(text, end - 2);
		const character = text.slice(end - (pair ? 2 : 1), end);
		// as many accents as one likes make no walk longer than this
		if (!/^\p{M}$/u.test(character) || at - end > 8 || end <= 2)
			return character;
		end -= character.length;
	}
}

function isSpaced(character: string): boolean {
	return ofAWord.test(character) && !unspaced.test(character);
}
