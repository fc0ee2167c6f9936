/**
 * The best paths through a segment's lattice: its slots, what each may be, the words that fit them, and a search by two sets of constants.
 */
import type { Lexicon } from "../../text/zh/word-source.js";
import {
	bestPaths,
	type LatticeConstants,
	type LatticePath,
} from "./lattice-search.js";
import { optionsOf, type SlotOptions } from "./slot-options.js";
import {
	type Slot,
	type SoundAligner,
	type SpokenAlternative,
	slotsOf,
} from "./slots.js";
import type { RecognizedSyllable } from "./syllables.js";
import { type WordEdge, WordEdges } from "./word-edges.js";

const usual: LatticeConstants = {
	languageModel: 0.35,
	characterBonus: 1.5,
	sound: 0.6,
	tone: 0.3,
	vote: 0.5,
};
/** Believes what was heard more than the recognizer's votes. */
const second: LatticeConstants = {
	languageModel: 0.5,
	characterBonus: 1.5,
	sound: 1,
	tone: 0.3,
	vote: 0.3,
};

/** A segment with more is not searched: 30 s of the fastest speech have 250. */
const slotsMax = 320;
/** Steps through tries of words, a microsecond each, for one slot on average: clear speech takes 100, unclear speech 300. */
const slotStepsMax = 800;
/** For one segment. Where there are no more, slots get shorter words only. */
export const latticeStepsMax = 160_000;
/** Of the paths of one lattice, so many are candidates whatever is in them. */
const withoutNewWords = 8;

/** Texts from the lattice, by the usual constants and by those of the second pass. */
export interface LatticeTextCounts {
	readonly latticeTexts: number;
	readonly secondLatticeTexts: number;
}

/** Empty if it was not searched. */
export interface SearchedLattice {
	readonly paths: readonly LatticePath[];
	readonly slots: readonly Slot[];
	readonly options: readonly SlotOptions[];
	/** What it took; about `latticeStepsMax` at most. */
	readonly steps: number;
}

/** @param alternatives the recognizer's texts, its own choice first. */
export function searchLattice(
	syllables: readonly RecognizedSyllable[],
	alternatives: readonly SpokenAlternative[],
	aligner: SoundAligner,
	lexicon: Lexicon,
	{ latticeTexts, secondLatticeTexts }: LatticeTextCounts,
): SearchedLattice {
	const unsearched = { paths: [], slots: [], options: [], steps: 0 };
	if (syllables.length === 0) return unsearched;
	const recognized = syllables.map((it) => it.base);
	const slots = slotsOf(recognized, alternatives, aligner);
	if (slots.length > slotsMax) return unsearched;
	const options = slots.map((it) => optionsOf(it, syllables, lexicon));
	const { edges, steps } = edgesOf(options, lexicon);
	const paths = diverse(bestPaths(edges, usual), latticeTexts);
	if (secondLatticeTexts > 0)
		paths.push(...diverse(bestPaths(edges, second), secondLatticeTexts));
	return { paths, slots, options, steps };
}

/** Every slot gets its share of the steps, and what those before it left. */
function edgesOf(
	slots: readonly SlotOptions[],
	lexicon: Lexicon,
): { readonly edges: WordEdge[][]; readonly steps: number } {
	const budget = { left: 0 };
	const words = new WordEdges(slots, lexicon, budget);
	const share = Math.min(slotStepsMax, latticeStepsMax / slots.length);
	let steps = 0;
	const edges = slots.map((_, slot) => {
		budget.left = Math.max(0, budget.left) + share;
		const before = budget.left;
		const found = words.from(slot);
		steps += before - budget.left;
		return found;
	});
	return { edges, steps };
}

/** The best, and then those that bring a word that none before has at its place. */
function diverse(paths: readonly LatticePath[], most: number): LatticePath[] {
	const chosen: LatticePath[] = [];
	const seen = new Set<string>();
	for (const path of paths) {
		if (chosen.length >= most) break;
		const words: string[] = [];
		for (let it: LatticePath | undefined = path; it?.before; it = it.before)
			words.push(`${it.before.length} ${it.word}`);
		const isNew = words.some((it) => !seen.has(it));
		if (chosen.length >= withoutNewWords && !isNew) continue;
		chosen.push(path);
		for (const it of words) seen.add(it);
	}
	return chosen;
}
