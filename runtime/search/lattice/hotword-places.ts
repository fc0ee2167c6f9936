/**
 * Where hotwords sound like what was heard, and the texts that they make in the place of what another text has there.
 */
import type { Lexicon } from "../../text/zh/word-source.js";
import { unitsMax } from "../context-graph.js";
import type { AlignedPair } from "./alignment.js";
import type { HotwordWords } from "./hotword-words.js";
import type { SlotOptions } from "./slot-options.js";
import type { Swap } from "./span-swaps.js";
import { edgeText, WordEdges } from "./word-edges.js";

/** A hotword in the slots `[from, to)`. */
export interface HotwordPlace {
	readonly from: number;
	readonly to: number;
	readonly text: string;
	/** The higher, the more of it was heard. */
	readonly rank: number;
}

/** Steps through the trie of hotwords, for one slot on average, and for one segment. */
const slotStepsMax = 400;
const stepsMax = 80_000;
/** Per character of the word, up to `unitsMax`: the longer it is, the less likely it sounds like this by chance. */
const rankOfUnit = 1.5;
const toneShare = 0.3;
/** A hotword that sounds less like what was heard is not tried. */
const costMax = 9;

/** @returns the best first. */
export function hotwordPlaces(
	slots: readonly SlotOptions[],
	hotwords: HotwordWords,
	lexicon: Lexicon,
): HotwordPlace[] {
	const budget = { left: 0 };
	const edges = new WordEdges(slots, lexicon, budget);
	const share = Math.min(slotStepsMax, stepsMax / slots.length);
	const places = slots.flatMap((_, from) => {
		budget.left = Math.max(0, budget.left) + share;
		return edges.wordsFrom(from, hotwords).flatMap((edge) => {
			const cost = edge.soundCost + toneShare * edge.toneCost;
			const rank = rankOfUnit * Math.min(unitsMax, edge.length) - cost;
			const text = edgeText(edge);
			return cost > costMax ? [] : [{ from, to: edge.to, text, rank }];
		});
	});
	return places.sort((one, other) => other.rank - one.rank);
}

/** @param pairs slots beside units. @returns swaps into the text, of the first places first, each once. */
export function swapsOfPlaces(
	places: readonly HotwordPlace[],
	pairs: readonly AlignedPair[],
	units: readonly string[],
	most: number,
): Swap[] {
	const { before, after } = unitsAround(pairs);
	const swaps = new Map<string, Swap>();
	for (const { from, to, text } of places) {
		if (swaps.size >= most) break;
		const swap = {
			from: before[from] as number,
			to: after[to - 1] as number,
			units: [...text],
		};
		const isThere = units.slice(swap.from, swap.to).join("") === text;
		const key = `${swap.from} ${swap.to} ${text}`;
		if (!isThere && !swaps.has(key)) swaps.set(key, swap);
	}
	return [...swaps.values()];
}

/** By slot: how many units are before it, and with its own. Units without a slot at either side of a word are not part of it. */
function unitsAround(pairs: readonly AlignedPair[]): {
	readonly before: readonly number[];
	readonly after: readonly number[];
} {
	const before: number[] = [];
	const after: number[] = [];
	let units = 0;
	for (const { row, column } of pairs) {
		if (row >= 0) before.push(units);
		if (column >= 0) units = column + 1;
		if (row >= 0) after.push(units);
	}
	return { before, after };
}
