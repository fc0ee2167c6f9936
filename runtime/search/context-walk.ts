/**
 * Steps through the hotwords' trie symbol by symbol, and settles hotwords: one that is complete when its match fails, or when the text ends, counts
 * permanently.
 */
import { type ByteTrie, wordEnd } from "./byte-trie.js";
import { spellByte } from "./spelling.js";

/** State of a hypothesis in the graph; only the graph creates it. */
export interface Context {
	readonly node: number;
	/** Whether a word of letters is open. */
	readonly inWord: boolean;
	/** Number of symbols so far. */
	readonly length: number;
	/** Units of the settled hotwords. */
	readonly settled: number;
	/** The settled hotwords. */
	readonly matched: MatchedHotword | undefined;
}

/** Linked list of settled hotwords, the last one first. */
export interface MatchedHotword {
	readonly entry: number;
	/** Symbols before its end. */
	readonly to: number;
	readonly before: MatchedHotword | undefined;
}

/** Units by node. */
export interface Worth {
	/** Of the partial match at the node. */
	readonly open: Float32Array;
	/** Of the hotword that the node holds. */
	readonly held: Float32Array;
}

/** `from` and `to` are indices of symbols in the text; `to` is excluded. */
export type OnSettled = (
	entry: number,
	units: number,
	from: number,
	to: number,
) => void;

/** A repeated hotword counts again only after this many symbols (eight Chinese characters), so that a loop earns nothing. */
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

	/** Ends the text: an incomplete match falls back to the root. */
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

	/** Moves to the longest suffix that may still become a hotword without overlapping a settled one; settles a complete hotword. */
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
