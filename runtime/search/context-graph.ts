/**
 * Hotwords as an automaton that a hypothesis walks along with its text's bytes (Aho-Corasick with a bonus that is revoked where a match fails:
 * contextual biasing by shallow fusion, Zhao et al. 2019, "Shallow-Fusion End-to-End Contextual Biasing").
 *
 * INVARIANTS
 * - A context's units are those of the settled hotwords, plus those of the partial match. A failed match leaves no units.
 * - Overlapping hotwords are counted once: the longest, from the left.
 * - An immediately repeated hotword earns nothing.
 *
 * Pure, and independent of any model.
 */

import { inPieces, type Piecewise } from "../event-loop/piecewise.js";
import { ByteTrie } from "./byte-trie.js";
import { unitsAfter, unitsOfSymbols } from "./context-units.js";
import { type Context, Walk, type Worth } from "./context-walk.js";
import { spell, spellByte } from "./spelling.js";

/** A hotword in all its possible spellings. */
export interface GraphEntry {
	readonly writings: readonly string[];
}

/** Byte range of a hotword, `to` excluded. */
export interface GraphSpan {
	readonly entry: number;
	readonly units: number;
	readonly from: number;
	readonly to: number;
}

/**
 * Maximum units of a hotword: once a name has begun, the audio decides how it continues. With five, long hotwords replaced other words (17 more errors
 * in Japanese clips than with two or three); with two, Chinese names of three and more characters were missed.
 */
export const unitsMax = 3;
/** Shorter words (one letter) are not used as hotwords. */
const unitsMin = 0.5;
/** A complete hotword of at most this length (a character, four letters) sounds like too many other words: it counts half. */
const unitsShort = 1;
const pathMax = 255;
/** Symbols of all hotwords: limits the memory to about 80 MB while building. */
const symbolsMax = 3_000_000;
/** Entries and nodes per piece of the compilation. */
const entriesOfPiece = 50;
const nodesOfPiece = 2000;
const utf8 = new TextEncoder();

export class ContextGraph {
	readonly start: Context = {
		node: 0,
		inWord: false,
		length: 0,
		settled: 0,
		matched: undefined,
	};
	readonly trie: ByteTrie;
	readonly #worth: Worth;

	private constructor(trie: ByteTrie, worth: Worth) {
		this.trie = trie;
		this.#worth = worth;
	}

	/** @param entries may be a generator. */
	static *compiling(entries: Iterable<GraphEntry>): Piecewise<ContextGraph> {
		const paths: Path[] = [];
		let symbols = 0;
		yield* inPieces(entries, entriesOfPiece, (entry, i) => {
			for (const path of pathsOf(entry)) {
				if (symbols + path.length > symbolsMax) return;
				symbols += path.length;
				paths.push({ path, entry: i });
			}
		});
		const trie = new ByteTrie(symbols);
		yield* inPieces(paths, entriesOfPiece, ({ path, entry }) =>
			trie.insert(path, entry),
		);
		yield* trie.sealing();
		return new ContextGraph(trie, yield* weighing(trie));
	}

	/** Whether there are no hotwords. */
	get isEmpty(): boolean {
		return this.trie.size === 1;
	}

	advance(context: Context, bytes: Uint8Array): Context {
		const walk = new Walk(this.trie, this.#worth, context);
		for (let i = 0; i < bytes.length; i++) walk.byte(bytes[i] as number);
		return walk.context;
	}

	/** Units if the text continues as the best hotword does. */
	units(context: Context): number {
		return context.settled + (this.#worth.open[context.node] as number);
	}

	/** Units if the text ends here. */
	unitsAtEnd(context: Context): number {
		const walk = new Walk(this.trie, this.#worth, context);
		walk.finish();
		return walk.context.settled;
	}

	/** All occurrences of hotwords in a text that continues from a context and then ends; not of those that were complete before it. */
	spans(context: Context, text: Uint8Array): GraphSpan[] {
		const found: GraphSpan[] = [];
		/** Byte offset of the end of each symbol. */
		const ends: number[] = [];
		const start = context.length;
		const walk = new Walk(
			this.trie,
			this.#worth,
			context,
			(entry, units, from, to) => {
				if (to <= start) return;
				const end = ends[to - start - 1] ?? text.length;
				if (end === 0) return; // the end of its word is all that the text adds
				found.push({
					entry,
					units,
					from: ends[from - start - 1] ?? 0,
					to: end,
				});
			},
		);
		text.forEach((byte, i) => {
			const { border, symbol } = spellByte(byte, walk.context.inWord);
			if (border >= 0) ends.push(i); // the border precedes the byte
			if (symbol >= 0) ends.push(i + 1);
			walk.byte(byte);
		});
		walk.finish();
		return found;
	}
}

interface Path {
	readonly path: readonly number[];
	readonly entry: number;
}

function pathsOf({ writings }: GraphEntry): (readonly number[])[] {
	return writings
		.filter((writing) => /[\p{L}\p{N}]/u.test(writing))
		.map((writing) => spell(utf8.encode(writing)))
		.filter(
			(path) => path.length <= pathMax && unitsOfSymbols(path) >= unitsMin,
		);
}

function* weighing(trie: ByteTrie): Piecewise<Worth> {
	const open = new Float32Array(trie.size);
	const held = new Float32Array(trie.size);
	const nodes = [{ node: 0, units: 0, script: 0 }];
	let weighed = 0;
	for (let at = nodes.pop(); at !== undefined; at = nodes.pop()) {
		const { node, units, script } = at;
		if (weighed++ % nodesOfPiece === 0) yield;
		for (
			let child = trie.firstChild(node);
			child >= 0;
			child = trie.nextSibling(child)
		) {
			const next = unitsAfter(units, script, trie.symbolOf(child));
			open[child] = Math.min(unitsMax, next.units);
			const whole = trie.heldDepth[child] === trie.depth[child];
			held[child] = whole
				? unitsOfWhole(open[child] as number)
				: (held[node] as number);
			nodes.push({ node: child, ...next });
		}
	}
	return { open, held };
}

function unitsOfWhole(units: number): number {
	return units <= unitsShort + 1e-4 ? units / 2 : units;
}
