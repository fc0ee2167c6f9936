/**
 * The edges of a lattice: all words that the slots from a given one on may be, by walking a trie of words with the options of each slot. A word has
 * as many characters as syllables; slots between them may be skipped.
 */
import {
	type Lexicon,
	type WordSource,
	wordLengthMax,
	wordLogpMin,
} from "../../text/zh/word-source.js";
import type { SlotOptions, SyllableOption } from "./slot-options.js";

/** A word from one slot to another, with what it costs in each way. */
export interface WordEdge {
	/** The slot behind it. */
	readonly to: number;
	/** The word: a text ("" for a slot that is skipped), or a number of a source. */
	readonly word: string | number;
	readonly source: WordSource | undefined;
	/** Characters; 0 for a word in another script. */
	readonly length: number;
	readonly logp: number;
	readonly soundCost: number;
	readonly toneCost: number;
	/** Negative log of the votes. */
	readonly voteCost: number;
}

/** Of an edge; most edges are never followed, so their texts are not made. */
export function edgeText({ word, source }: WordEdge): string {
	return typeof word === "string" ? word : (source?.wordText(word) ?? "");
}

/** Homophones of one syllable, beside those that were voted for. */
const charactersMax = 12;
/** Homophones of several syllables. */
const wordsMax = 8;
/** Sequences of syllables that are continued at each length. */
const openMax = 100;
/** A word that sounds less like what was heard is not considered. */
const soundCostMax = 14;
/** Characters voted for by nobody have this probability. */
const unvoted = 0.03;
/** A word in another script, in place of a word's log-probability. */
export const foreignLogp = -4;

/** A sequence of syllables that begins words. */
interface Open {
	readonly node: number;
	/** The slot behind it. */
	readonly slot: number;
	readonly soundCost: number;
	readonly skipVoteCost: number;
	readonly before: Open | undefined;
	readonly option: SyllableOption | undefined;
}

/** Steps that may still be taken; see `latticeStepsMax`. */
export interface StepBudget {
	left: number;
}

/** Finds the edges of one lattice. */
export class WordEdges {
	readonly #slots: readonly SlotOptions[];
	readonly #lexicon: Lexicon;
	readonly #budget: StepBudget;
	readonly #voteCosts: readonly ReadonlyMap<number, number>[];

	constructor(
		slots: readonly SlotOptions[],
		lexicon: Lexicon,
		budget: StepBudget,
	) {
		this.#slots = slots;
		this.#lexicon = lexicon;
		this.#budget = budget;
		this.#voteCosts = slots.map(
			({ votes }) =>
				new Map(
					Array.from(votes, ([character, p]) => [
						character === "" ? 0 : character.charCodeAt(0),
						-Math.log(unvoted + (1 - unvoted) * p),
					]),
				),
		);
	}

	/** All edges that begin at a slot. There is always at least one. */
	from(slot: number): WordEdge[] {
		const { fixed, skipCost } = this.#slots[slot] as SlotOptions;
		const plain = {
			to: slot + 1,
			source: undefined,
			toneCost: 0,
			length: 0,
		};
		if (fixed !== undefined)
			return [
				{ ...plain, word: fixed, logp: foreignLogp, soundCost: 0, voteCost: 0 },
			];
		const edges: WordEdge[] = [
			{
				...plain,
				word: "",
				logp: 0,
				soundCost: skipCost,
				voteCost: this.#voteCost(slot, 0),
			},
		];
		this.#addVoted(slot, edges);
		this.#addWords(this.#lexicon, slot, edges);
		return edges;
	}

	/** Words of another source. */
	wordsFrom(slot: number, source: WordSource): WordEdge[] {
		const edges: WordEdge[] = [];
		this.#addWords(source, slot, edges);
		return edges;
	}

	/** Characters that were voted for: rare ones are in no list of words. */
	#addVoted(slot: number, edges: WordEdge[]): void {
		const { votes, syllables } = this.#slots[slot] as SlotOptions;
		for (const character of votes.keys()) {
			const unit = character.charCodeAt(0);
			for (const option of syllables) {
				const tones = character
					? this.#lexicon.tonesOf(unit, option.syllable)
					: 0;
				if (tones === 0) continue;
				edges.push({
					to: slot + 1,
					word: character,
					source: undefined,
					length: 1,
					logp: this.#lexicon.logpOf(character),
					soundCost: option.cost,
					toneCost: least(option.toneCosts, tones),
					voteCost: this.#voteCost(slot, unit),
				});
			}
		}
	}

	#addWords(source: WordSource, from: number, edges: WordEdge[]): void {
		let open: Open[] = [
			{
				node: source.root,
				slot: from,
				soundCost: 0,
				skipVoteCost: 0,
				before: undefined,
				option: undefined,
			},
		];
		for (let length = 1; length <= wordLengthMax && open.length > 0; length++) {
			const longer: Open[] = [];
			for (const it of open) {
				this.#extend(source, it, it.slot, 0, 0, longer);
				if (length > 1) this.#extendOverSlot(source, it, longer);
				if (this.#budget.left <= 0) break;
			}
			for (const it of longer) this.#addEnding(source, it, length, edges);
			if (longer.length > openMax) {
				longer.sort((one, other) => one.soundCost - other.soundCost);
				longer.length = openMax;
			}
			open = longer;
		}
	}

	#extendOverSlot(source: WordSource, open: Open, longer: Open[]): void {
		const skipped = this.#slots[open.slot];
		if (!skipped || skipped.fixed !== undefined) return;
		const voteCost = this.#voteCost(open.slot, 0);
		this.#extend(
			source,
			open,
			open.slot + 1,
			skipped.skipCost,
			voteCost,
			longer,
		);
	}

	#extend(
		source: WordSource,
		open: Open,
		at: number,
		soundCost: number,
		voteCost: number,
		longer: Open[],
	): void {
		const slot = this.#slots[at];
		if (!slot) return;
		for (const option of slot.syllables) {
			const cost = open.soundCost + soundCost + option.cost;
			if (cost > soundCostMax || this.#budget.left <= 0) return; // the options are in order
			this.#budget.left--;
			const node = source.child(open.node, option.syllable);
			if (node < 0) continue;
			longer.push({
				node,
				slot: at + 1,
				soundCost: cost,
				skipVoteCost: open.skipVoteCost + voteCost,
				before: open,
				option,
			});
		}
	}

	#addEnding(
		source: WordSource,
		open: Open,
		length: number,
		edges: WordEdge[],
	): void {
		const from = source.wordFrom(open.node);
		const most = length === 1 ? charactersMax : wordsMax;
		const to = Math.min(source.wordTo(open.node), from + most);
		for (let word = from; word < to; word++) {
			this.#budget.left--;
			let toneCost = 0;
			let voteCost = open.skipVoteCost;
			let index = length - 1;
			for (let it = open; it.option && it.before; it = it.before) {
				const unit = source.wordUnit(word, index--);
				const tones = this.#lexicon.tonesOf(unit, it.option.syllable);
				toneCost += least(it.option.toneCosts, tones);
				voteCost += this.#voteCost(it.slot - 1, unit);
			}
			edges.push({
				to: open.slot,
				word,
				source,
				length,
				logp: Math.max(wordLogpMin, source.wordLogp(word)),
				soundCost: open.soundCost,
				toneCost,
				voteCost,
			});
		}
	}

	/** @param unit UTF-16 unit of the character, 0 for none. */
	#voteCost(slot: number, unit: number): number {
		return this.#voteCosts[slot]?.get(unit) ?? unvotedCost;
	}
}

const unvotedCost = -Math.log(unvoted);
/** A tone that the lexicon does not know, as that of a neutral syllable in a word. */
const unknownToneCost = 1;

/** @param tones bit `t` stands for tone `t`. */
function least(costs: readonly number[], tones: number): number {
	if (tones === 0) return unknownToneCost;
	let cost = Number.POSITIVE_INFINITY;
	for (let tone = 1; tone <= 5; tone++)
		if ((tones >> tone) & 1) cost = Math.min(cost, costs[tone] as number);
	return cost;
}
