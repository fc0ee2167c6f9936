/** Hotwords of any letters in texts of the same letters, split anywhere. */
import assert from "node:assert/strict";
import { atOnce } from "../../runtime/event-loop/piecewise.js";
import { ContextGraph } from "../../runtime/search/context-graph.js";
import type { Context } from "../../runtime/search/context-walk.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";

interface Case {
	readonly words: readonly string[];
	readonly text: string;
}

interface CutCase extends Case {
	/** Of the text's UTF-8, in bytes; from the start again when they are used up. */
	readonly lengths: readonly number[];
}

const alphabet = [..."北京图书馆上海关ab -.'é🙂"];

export const cutsMakeNoDifference = (): Property<CutCase> => ({
	name: "search/context-cuts",
	promise: "any split of the text gives the same context",
	draw: (random) => ({
		words: Array.from({ length: 8 }, () => some(random, alphabet, 4)),
		text: some(random, alphabet, 40),
		lengths: Array.from({ length: 40 }, () => 1 + below(random, 4)),
	}),
	check({ words, text, lengths }) {
		const graph = graphOf(...words);
		const whole = bytes(text);
		let context = graph.start;
		for (let at = 0, i = 0; at < whole.length; i++) {
			const to = at + (lengths[i % lengths.length] as number);
			context = graph.advance(context, whole.subarray(at, to));
			at = to;
		}
		assert.deepEqual(context, graph.advance(graph.start, whole));
		const atEnd = graph.unitsAtEnd(context);
		assert.ok(atEnd <= graph.units(context) + 1e-6, "the end never adds");
	},
});

/** Only where no hotword holds another one's end: there the graph counts the longest first, from the left, each once in so short a text. */
export const unitsAreAsFound = (): Property<Case> => ({
	name: "search/context-units",
	promise: "hotwords earn the units that a search of the text finds",
	draw: (random) => ({
		words: Array.from({ length: 3 }, () => some(random, [..."甲乙丙"], 3)),
		text: some(random, [..."甲乙丙"], 8),
	}),
	check({ words, text }) {
		const all = [...new Set(words)];
		if (all.some((a) => all.some((b) => a !== b && overlap(a, b)))) return;
		assert.equal(unitsOf(graphOf(...all), text), unitsFound(all, text));
	},
});

function unitsFound(words: readonly string[], text: string): number {
	const occurring = new Set<string>();
	for (let at = 0; at < text.length; ) {
		const found = words
			.filter((one) => text.startsWith(one, at))
			.sort((a, b) => b.length - a.length)[0];
		if (found !== undefined) occurring.add(found);
		at += found?.length ?? 1;
	}
	return [...occurring].reduce(
		(sum, one) => sum + (one.length === 1 ? 0.5 : one.length),
		0,
	);
}

/** An end of one, short of all of it, begins the other, or one holds the other. */
function overlap(one: string, other: string): boolean {
	if (one.includes(other)) return true;
	for (let i = 1; i < one.length; i++)
		if (other.startsWith(one.slice(i))) return true;
	return false;
}

function some(random: Random, letters: readonly string[], most: number) {
	const length = 1 + below(random, most);
	return Array.from({ length }, () => pick(random, letters)).join("");
}

export const bytes = (text: string) => new TextEncoder().encode(text);

export function graphOf(...words: string[]): ContextGraph {
	return atOnce(
		ContextGraph.compiling(words.map((word) => ({ writings: [word] }))),
	);
}

/** A text in one piece. */
export function after(graph: ContextGraph, text: string): Context {
	return graph.advance(graph.start, bytes(text));
}

export function unitsOf(graph: ContextGraph, text: string): number {
	return Math.round(1e4 * graph.unitsAtEnd(after(graph, text))) / 1e4;
}
