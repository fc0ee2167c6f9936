/**
 * Hotwords as an automaton that a hypothesis walks along with its text's bytes (Aho-Corasick with a bonus taken back where a match breaks, as
 * contextual biasing is done by shallow fusion: Zhao et al. 2019, "Shallow-Fusion End-to-End Contextual Biasing").
 *
 * INVARIANTS
 * - A context's units are those of the hotwords said for good, plus those of the one that is being said. What breaks off leaves nothing behind.
 * - Hotwords that overlap are counted once: the longest, from the left.
 * - A hotword that is said again at once earns nothing.
 *
 * Pure, and free of any model.
 */

import { inPieces, type Piecewise } from "../event-loop/piecewise.js";
import { ByteTrie } from "./byte-trie.js";
import { unitsAfter, unitsOfSymbols } from "./context-units.js";
import { type Context, Walk, type Worth } from "./context-walk.js";
import { spell, spellByte } from "./spelling.js";

/** A hotword in every way it may be written. */
export interface GraphEntry {
	readonly writings: readonly string[];
}

/** Bytes that say a hotword, `to` excluded. */
export interface GraphSpan {
	readonly entry: number;
	readonly units: number;
	readonly from: number;
	readonly to: number;
}

/**
 * More is worth no more: once a name has begun the sound itself decides how it goes on. With five, long hotwords stood where others were said (in
 * Japanese clips 17 errors more than with two or three); with two, Chinese names of three characters and more were missed.
 */
const unitsMax = 3;
/** Less (one letter) is no word to bet on. */
const unitsMin = 0.5;
/** A whole hotword of no more than this (a character, four letters) sounds like too much else: it counts half. */
const unitsShort = 1;
const pathMax = 255;
/** Of all hotwords together: bounds the memory, some 80 MB while building. */
const symbolsMax = 3_000_000;
/** Entries spelled, and nodes weighed, at a time. */
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

	/** @param entries may be made while they are asked for. */
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

	/** Whether there is anything to look for. */
	get isEmpty(): boolean {
		return this.trie.size === 1;
	}

	advance(context: Context, bytes: Uint8Array): Context {
		const walk = new Walk(this.trie, this.#worth, context);
		for (let i = 0; i < bytes.length; i++) walk.byte(bytes[i] as number);
		return walk.context;
	}

	/** Were the text to go on as the best hotword does. */
	units(context: Context): number {
		return context.settled + (this.#worth.open[context.node] as number);
	}

	/** Were the text to end here. */
	unitsAtEnd(context: Context): number {
		const walk = new Walk(this.trie, this.#worth, context);
		walk.finish();
		return walk.context.settled;
	}

	/** Hotwords in a text that goes on from a context and then ends, each time they are said. */
	spans(context: Context, text: Uint8Array): GraphSpan[] {
		const found: GraphSpan[] = [];
		/** Bytes before the end of each symbol. */
		const ends: number[] = [];
		const start = context.length;
		const walk = new Walk(
			this.trie,
			this.#worth,
			context,
			(entry, units, from, to) => {
				found.push({
					entry,
					units,
					from: ends[from - start - 1] ?? 0,
					to: ends[to - start - 1] ?? text.length,
				});
			},
		);
		text.forEach((byte, i) => {
			const { border, symbol } = spellByte(byte, walk.context.inWord);
			if (border >= 0) ends.push(i); // it lies before the byte
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
