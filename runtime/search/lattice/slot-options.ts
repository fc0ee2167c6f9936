/**
 * What a slot may be: the syllable that was heard, syllables that sound like it, readings of the characters that were voted for, or nothing. Costs
 * are differences of log-probability to what was heard.
 */
import type { Lexicon } from "../../text/zh/word-source.js";
import type { Slot } from "./slots.js";
import { soundOf } from "./sounds.js";
import type { RecognizedSyllable } from "./syllables.js";
import { retroflex } from "./wanted-syllables.js";

export interface SyllableOption {
	/** Number in the lexicon. */
	readonly syllable: number;
	readonly cost: number;
	/** By tone, 0 to `toneCostMax`; index 0 is unused. */
	readonly toneCosts: readonly number[];
}

export interface SlotOptions {
	readonly fixed: string | undefined;
	/** The best first. */
	readonly syllables: readonly SyllableOption[];
	readonly skipCost: number;
	readonly votes: ReadonlyMap<string, number>;
}

const initialsMax = 6;
const finalsMax = 8;
/** Syllables that sound alike; those of voted characters come on top. */
const alikeMax = 10;
const alikeCostMax = 6;
const votedMax = 8;
const costMax = 8;
/** With an initial where none was heard, or the other way round. */
const otherShapeCost = 6;
/** Nothing is said where a syllable was heard. */
const skipRecognizedCost = 4.5;
/** A character is said where no syllable was heard. */
const unrecognizedCost = 5;
const unrecognizedRetroflexCost = 1;
const toneCostMax = 2;
const noToneCosts = [0, 0, 0, 0, 0, 0];

/** @param recognized all recognized syllables. */
export function optionsOf(
	slot: Slot,
	recognized: readonly RecognizedSyllable[],
	lexicon: Lexicon,
): SlotOptions {
	const { fixed, votes } = slot;
	if (fixed !== undefined) return { fixed, syllables: [], skipCost: 0, votes };
	const [index] = slot.syllables;
	const syllable = index === undefined ? undefined : recognized[index];
	const costs = syllable
		? recognizedCosts(syllable, votes, lexicon)
		: unrecognizedCosts(votes, lexicon);
	const syllables = Array.from(costs, ([it, cost]) => ({
		syllable: it,
		cost,
		toneCosts: syllable
			? toneCosts(syllable, lexicon.syllables[it] as string)
			: noToneCosts,
	}));
	syllables.sort((one, other) => one.cost - other.cost);
	return {
		fixed,
		syllables,
		skipCost: syllable ? skipRecognizedCost : 0,
		votes,
	};
}

/** By syllable number, where no syllable was heard. */
function unrecognizedCosts(
	votes: ReadonlyMap<string, number>,
	lexicon: Lexicon,
): Map<number, number> {
	const costs = new Map<number, number>();
	for (const syllable of votedSyllables(votes, lexicon))
		costs.set(syllable, unrecognizedCost);
	if (votes.has(retroflex))
		for (const { syllable } of lexicon.readings(retroflex))
			if (costs.has(syllable)) costs.set(syllable, unrecognizedRetroflexCost);
	return costs;
}

/** By syllable number. */
function recognizedCosts(
	recognized: RecognizedSyllable,
	votes: ReadonlyMap<string, number>,
	lexicon: Lexicon,
): Map<number, number> {
	const costs = new Map<number, number>();
	const own = lexicon.syllableNumber(recognized.base);
	if (own >= 0) costs.set(own, 0);
	const alike: { syllable: number; cost: number }[] = [];
	for (const initial of likeliestKeys(recognized.initials, initialsMax, ""))
		for (const final of likeliestKeys(recognized.finals, finalsMax)) {
			const syllable = lexicon.syllableNumber(initial + final);
			const cost = costOf(recognized, initial, final);
			if (syllable >= 0 && cost < alikeCostMax) alike.push({ syllable, cost });
		}
	alike.sort((one, other) => one.cost - other.cost);
	for (const { syllable, cost } of alike.slice(0, alikeMax))
		if (!costs.has(syllable)) costs.set(syllable, cost);
	for (const syllable of votedSyllables(votes, lexicon)) {
		if (costs.has(syllable)) continue;
		const { initial, final } = soundOf(lexicon.syllables[syllable] as string);
		costs.set(syllable, costOf(recognized, initial, final));
	}
	return costs;
}

/** The likeliest keys; `otherwise` if there are none. */
function likeliestKeys(
	logps: ReadonlyMap<string, number>,
	most: number,
	otherwise?: string,
): string[] {
	if (logps.size === 0 && otherwise !== undefined) return [otherwise];
	const keys: string[] = [];
	const best: number[] = [];
	for (const [key, logp] of logps) {
		if (keys.length === most && !(logp > (best[most - 1] as number))) continue;
		let at = Math.min(keys.length, most - 1);
		for (; at > 0 && logp > (best[at - 1] as number); at--) {
			keys[at] = keys[at - 1] as string;
			best[at] = best[at - 1] as number;
		}
		keys[at] = key;
		best[at] = logp;
	}
	return keys;
}

function costOf(
	recognized: RecognizedSyllable,
	initial: string,
	final: string,
): number {
	const own = soundOf(recognized.base);
	if ((own.initial === "") !== (initial === "")) return otherShapeCost;
	const drop =
		dropOf(recognized.initials, own.initial, initial) +
		dropOf(recognized.finals, own.final, final);
	return Math.min(costMax, Math.max(0, drop));
}

/** How much less likely one key is than the one that was heard. */
function dropOf(
	logps: ReadonlyMap<string, number>,
	recognized: string,
	wanted: string,
): number {
	if (recognized === wanted) return 0;
	const logp = logps.get(wanted);
	const drop =
		(logps.get(recognized) ?? 0) - (logp ?? Number.NEGATIVE_INFINITY);
	return Number.isNaN(drop) ? costMax : drop;
}

/** Readings of the voted characters, of the most voted first. */
function votedSyllables(
	votes: ReadonlyMap<string, number>,
	lexicon: Lexicon,
): number[] {
	const voted = [...votes].sort(([, one], [, other]) => other - one);
	const syllables = new Set<number>();
	for (const [character] of voted)
		for (const { syllable } of lexicon.readings(character))
			if (syllables.size < votedMax) syllables.add(syllable);
	return [...syllables];
}

function toneCosts(recognized: RecognizedSyllable, syllable: string): number[] {
	const { final } = soundOf(syllable);
	const any = recognized.finals.get(final);
	return [0, 1, 2, 3, 4, 5].map((tone) => {
		if (tone === 0 || any === undefined) return 0;
		const logp = recognized.tonedFinals.get(`${final}${tone}`);
		if (logp === undefined) return toneCostMax;
		const cost = any - logp;
		return Math.min(toneCostMax, Math.max(0, Number.isNaN(cost) ? 0 : cost));
	});
}
