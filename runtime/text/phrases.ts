/**
 * Many phrases looked for in a text at once: a trie over UTF-16 units, walked from every place of the text.
 *
 * INVARIANTS
 * - No regular expression is made of a user's words, and the work is at most the text's length times the longest phrase's (entries are short by their
 *   rules): no input makes it explode.
 * - Case and width of Latin letters make no difference, nor does it matter how an accent is composed. Folding keeps every offset.
 * - Where letters make words (Latin, Greek, Cyrillic, digits) a phrase begins and ends where a word does; in Chinese and Japanese it may stand anywhere.
 *   Neither end cuts a character from its combining marks or its other half.
 */
import type { Span } from "./language-rules.js";

export interface PhraseMatch<Value> extends Span {
	readonly value: Value;
}

export class Phrases<Value> {
	/** From (node, unit) to the node behind it; the root is 0. */
	readonly #next = new Map<number, number>();
	/** Node where a phrase ends -> what it stands for. */
	readonly #ends = new Map<number, { readonly value: Value }>();
	#nodes = 1;
	#unitsMax = 0;

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
		const folded = fold(text);
		for (
			let from = Math.max(0, text.length - this.#unitsMax);
			from < text.length;
			from++
		) {
			if (!isBorder(text, from)) continue;
			let node: number | undefined = 0;
			for (let at = from; at < text.length && node !== undefined; at++)
				node = this.#after(node, folded.charCodeAt(at));
			if (node !== undefined && this.#goesOn(node)) return from;
		}
		return text.length;
	}

	#addForm(units: string, value: Value): void {
		if (units === "") return;
		let node = 0;
		for (let i = 0; i < units.length; i++) {
			const key = keyOf(node, units.charCodeAt(i));
			const next = this.#next.get(key) ?? this.#nodes++;
			this.#next.set(key, next);
			node = next;
		}
		if (!this.#ends.has(node)) this.#ends.set(node, { value });
		this.#unitsMax = Math.max(this.#unitsMax, units.length);
	}

	#after(node: number, unit: number): number | undefined {
		return this.#next.get(keyOf(node, unit));
	}

	#matchesByLength(folded: string, text: string): PhraseMatch<Value>[][] {
		const byLength: PhraseMatch<Value>[][] = [];
		for (let from = 0; from < folded.length; from++) {
			let node = this.#after(0, folded.charCodeAt(from));
			if (node === undefined || !isBorder(text, from)) continue;
			for (let to = from + 1; node !== undefined; to++) {
				const end = this.#ends.get(node);
				if (end && isBorder(text, to)) {
					byLength[to - from] ??= [];
					byLength[to - from]?.push({ from, to, value: end.value });
				}
				node =
					to < folded.length
						? this.#after(node, folded.charCodeAt(to))
						: undefined;
			}
		}
		return byLength;
	}

	/** Some phrase is longer than what was walked. Nodes are numbered in the order they are made, so a leaf has no child only if no key begins with it. */
	#goesOn(node: number): boolean {
		this.#inner ??= new Set(
			[...this.#next.keys()].map((key) => Math.floor(key / unitValues)),
		);
		return this.#inner.has(node);
	}

	#inner: Set<number> | undefined;
}

/** What may be composed in two ways; plain Latin letters and Chinese characters may not. */
const composable = /[\u00c0-\u1fff\u3040-\u30ff\uac00-\ud7a3]/;

const unitValues = 0x10000;

function keyOf(node: number, unit: number): number {
	return node * unitValues + unit;
}

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
