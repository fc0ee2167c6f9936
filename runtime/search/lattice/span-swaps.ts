/**
 * Further texts from scored ones: the best text with a single difference of another one, and then with several differences that each made it better.
 */
import { differingSpans } from "./alignment.js";

/** A text, and its score. */
export interface ScoredUnits {
	readonly units: readonly string[];
	readonly score: number;
}

/** Replaces the units `[from, to)` of a text. */
export interface Swap {
	readonly from: number;
	readonly to: number;
	readonly units: readonly string[];
}

/** Longer differences are other sentences. */
const spanMax = 8;
/** A swap that makes the text this much worse may be merged with others. */
const lossMax = 1;

/** @param texts the best first. @returns differences between the first and the others, those of better texts first, each once. */
export function swapsInto(texts: readonly ScoredUnits[], most: number): Swap[] {
	const [best, ...others] = texts;
	const swaps = new Map<string, Swap>();
	for (const { units } of others)
		for (const span of differingSpans(best?.units ?? [], units)) {
			if (swaps.size >= most) return [...swaps.values()];
			const { from, to, otherFrom, otherTo } = span;
			if (to - from > spanMax || otherTo - otherFrom > spanMax) continue;
			const swap = { from, to, units: units.slice(otherFrom, otherTo) };
			const key = `${from} ${to} ${swap.units.join(" ")}`;
			if (!swaps.has(key)) swaps.set(key, swap);
		}
	return [...swaps.values()];
}

export function swapped(units: readonly string[], swap: Swap): string[] {
	return [...units.slice(0, swap.from), ...swap.units, ...units.slice(swap.to)];
}

/** A swap, and by how much it changed the score. */
export interface TriedSwap {
	readonly swap: Swap;
	readonly gain: number;
}

/** @returns texts with two swaps, three, and so on, from the best swaps that do not overlap. */
export function mergedSwaps(
	units: readonly string[],
	tried: readonly TriedSwap[],
	most: number,
): string[][] {
	const good = tried
		.filter((it) => it.gain > -lossMax)
		.sort((one, other) => other.gain - one.gain);
	const used: Swap[] = [];
	const merged: string[][] = [];
	for (const { swap } of good) {
		if (merged.length === most) break;
		if (used.some((it) => overlaps(it, swap))) continue;
		used.push(swap);
		if (used.length > 1) merged.push(swappedAll(units, used));
	}
	return merged;
}

/** Two swaps at the same place overlap even if they only add something. */
function overlaps(one: Swap, other: Swap): boolean {
	if (one.from === other.from) return true;
	return one.from < other.to && other.from < one.to;
}

function swappedAll(
	units: readonly string[],
	swaps: readonly Swap[],
): string[] {
	const fromTheEnd = [...swaps].sort((one, other) => other.from - one.from);
	let text = [...units];
	for (const swap of fromTheEnd) text = swapped(text, swap);
	return text;
}
