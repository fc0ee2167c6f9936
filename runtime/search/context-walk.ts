/**
 * Steps through the hotwords' trie from symbol to symbol, and settles what is said: a hotword that is whole when its match breaks, or the text ends, has
 * been said for good.
 */
import { type ByteTrie, wordEnd } from "./byte-trie.js";
import { spellByte } from "./spelling.js";

/** Where a hypothesis stands; made by the graph alone. */
export interface Context {
	readonly node: number;
	/** A word of letters is open. */
	readonly inWord: boolean;
	/** Symbols so far. */
	readonly length: number;
	/** Units of what was said for good, */
	readonly settled: number;
	/** and which hotwords that was. */
	readonly matched: MatchedHotword | undefined;
}

/** The last hotword, and those before it. */
export interface MatchedHotword {
	readonly entry: number;
	/** Symbols before its end. */
	readonly to: number;
	readonly before: MatchedHotword | undefined;
}

/** Units by node: of what is open there, */
export interface Worth {
	readonly open: Float32Array;
	/** and of the hotword that it holds. */
	readonly held: Float32Array;
}

/** @param from, to symbols of the text; `to` is excluded. */
export type OnSettled = (
	entry: number,
	units: number,
	from: number,
	to: number,
) => void;

/** A hotword counts again where so many symbols (eight Chinese characters) lie between: round in circles it earns nothing. */
const apartMin = 24;

export class Walk {
	readonly #trie: ByteTrie;
	readonly #worth: Worth;
	readonly #onSettled: OnSettled | undefined;
	#node: number;
	#inWord: boolean;
	#length: number;
	#settled: number;
	#matched: MatchedHotword | undefined;

	constructor(
		trie: ByteTrie,
		worth: Worth,
		context: Context,
		onSettled?: OnSettled,
	) {
		this.#trie = trie;
		this.#worth = worth;
		this.#onSettled = onSettled;
		this.#node = context.node;
		this.#inWord = context.inWord;
		this.#length = context.length;
		this.#settled = context.settled;
		this.#matched = context.matched;
	}

	get context(): Context {
		return {
			node: this.#node,
			inWord: this.#inWord,
			length: this.#length,
			settled: this.#settled,
			matched: this.#matched,
		};
	}

	byte(byte: number): void {
		const { border, symbol, inWord } = spellByte(byte, this.#inWord);
		if (border >= 0) this.#step(border);
		if (symbol >= 0) this.#step(symbol);
		this.#inWord = inWord;
	}

	/** The text ends: whatever is open falls back to nothing. */
	finish(): void {
		if (this.#inWord) this.#step(wordEnd);
		while (this.#node !== 0) this.#fallBack();
	}

	#step(symbol: number): void {
		let child = this.#trie.child(this.#node, symbol);
		while (child < 0 && this.#node !== 0) {
			this.#fallBack();
			child = this.#trie.child(this.#node, symbol);
		}
		if (child >= 0) this.#node = child;
		this.#length++;
	}

	/** To the longest suffix that may still become a hotword and overlaps none; a hotword that was whole is settled. */
	#fallBack(): void {
		const { failure, held, heldDepth, depth } = this.#trie;
		const entry = held[this.#node] as number;
		let suffix = failure[this.#node] as number;
		if (entry >= 0) {
			const length = heldDepth[this.#node] as number;
			const rest = (depth[this.#node] as number) - length;
			const to = this.#length - rest;
			this.#settle(entry, to - length, to);
			while ((depth[suffix] as number) > rest)
				suffix = failure[suffix] as number;
		}
		this.#node = suffix;
	}

	#settle(entry: number, from: number, to: number): void {
		const units = this.#worth.held[this.#node] as number;
		this.#onSettled?.(entry, units, from, to);
		for (let matched = this.#matched; matched; matched = matched.before)
			if (matched.entry === entry && from - matched.to < apartMin) return;
		this.#settled += units;
		this.#matched = { entry, to, before: this.#matched };
	}
}
