/**
 * A trie over symbols (a byte, or the beginning or end of a word), in flat arrays: 20,000 words of four Chinese characters are about 150,000 nodes of
 * 26 bytes. Node 0 is the root. Insert everything, then run `sealing`, which computes `failure` and `held`; nothing can be inserted after that.
 *
 * INVARIANTS
 * - `failure[n]` is the longest proper suffix of n's path that is a path itself (Aho and Corasick 1975).
 * - `held[n]` is the longest entry that is a prefix of n's path, or -1.
 */

import type { Piecewise } from "../event-loop/piecewise.js";

/** Symbol for the beginning of a word of letters. */
export const wordBegin = 256;
/** Symbol for its end. */
export const wordEnd = 257;
const symbols = 258;
const none = -1;
/** Nodes per piece of `sealing`. */
const nodesOfPiece = 2000;

export class ByteTrie {
	/** Depth of each node, in symbols; no path is longer than 255. */
	depth: Uint8Array;
	failure = new Int32Array(0);
	held: Int32Array;
	/** Depth of the held entry. */
	heldDepth: Uint8Array = new Uint8Array(0);
	#symbol: Uint16Array;
	#firstChild: Int32Array;
	#nextSibling: Int32Array;
	/** By symbol: the root has the most children and the most look-ups. */
	readonly #rootChildren = new Int32Array(symbols).fill(none);
	#size = 1;

	/** @param symbolsMax upper bound of the symbols in all paths. */
	constructor(symbolsMax: number) {
		const nodesMax = symbolsMax + 1;
		this.depth = new Uint8Array(nodesMax);
		this.held = new Int32Array(nodesMax).fill(none);
		this.#symbol = new Uint16Array(nodesMax);
		this.#firstChild = new Int32Array(nodesMax).fill(none);
		this.#nextSibling = new Int32Array(nodesMax).fill(none);
	}

	/** Number of nodes, including the root. */
	get size(): number {
		return this.#size;
	}

	/** @param path at most 255 symbols. If a path is inserted twice, its first entry stays. */
	insert(path: ArrayLike<number>, entry: number): void {
		let node = 0;
		for (let i = 0; i < path.length; i++) {
			const symbol = path[i] as number;
			const child = this.child(node, symbol);
			node = child === none ? this.#append(node, symbol) : child;
		}
		if (this.held[node] === none) this.held[node] = entry;
	}

	/** Computes `failure` and `held`, breadth first, and releases unused memory. */
	*sealing(): Piecewise<void> {
		this.#trim();
		const { failure, held, heldDepth, depth } = this;
		const queue = new Int32Array(this.#size);
		let end = 1; // the root is first
		for (let at = 0; at < end; at++) {
			const node = queue[at] as number;
			if (at % nodesOfPiece === 0) yield;
			for (
				let child = this.firstChild(node);
				child !== none;
				child = this.nextSibling(child)
			) {
				queue[end++] = child;
				if (node !== 0) failure[child] = this.#suffixOf(node, child);
				if (held[child] !== none) heldDepth[child] = depth[child] as number;
				else {
					held[child] = held[node] as number;
					heldDepth[child] = heldDepth[node] as number;
				}
			}
		}
	}

	/** @returns -1 if there is no such child. */
	child(node: number, symbol: number): number {
		if (node === 0) return this.#rootChildren[symbol] as number;
		let child = this.#firstChild[node] as number;
		while (child !== none && this.#symbol[child] !== symbol)
			child = this.#nextSibling[child] as number;
		return child;
	}

	firstChild(node: number): number {
		return this.#firstChild[node] as number;
	}

	nextSibling(node: number): number {
		return this.#nextSibling[node] as number;
	}

	/** The symbol that leads to a node. */
	symbolOf(node: number): number {
		return this.#symbol[node] as number;
	}

	#append(node: number, symbol: number): number {
		const child = this.#size++;
		this.#symbol[child] = symbol;
		this.depth[child] = (this.depth[node] as number) + 1;
		this.#nextSibling[child] = this.#firstChild[node] as number;
		this.#firstChild[node] = child;
		if (node === 0) this.#rootChildren[symbol] = child;
		return child;
	}

	#suffixOf(node: number, child: number): number {
		const symbol = this.symbolOf(child);
		let suffix = this.failure[node] as number;
		for (;;) {
			const longer = this.child(suffix, symbol);
			if (longer !== none) return longer;
			if (suffix === 0) return 0;
			suffix = this.failure[suffix] as number;
		}
	}

	#trim(): void {
		const size = this.#size;
		this.depth = this.depth.slice(0, size);
		this.held = this.held.slice(0, size);
		this.#symbol = this.#symbol.slice(0, size);
		this.#firstChild = this.#firstChild.slice(0, size);
		this.#nextSibling = this.#nextSibling.slice(0, size);
		this.failure = new Int32Array(size);
		this.heldDepth = new Uint8Array(size);
	}
}
