/**
 * Puts hotwords into the text that was chosen without them. Each stands in the place of what the text has there, and only where the joint score and what the
 * hotword earns say so: a list of which no word is said leaves the text as it was.
 */
import type {
	Candidate,
	CandidateTexts,
} from "../../search/lattice/candidates.js";
import { HotwordCandidates } from "../../search/lattice/hotword-candidates.js";
import {
	HotwordWords,
	latticeHotword,
} from "../../search/lattice/hotword-words.js";
import {
	type JointFeatures,
	type JointWeights,
	jointScore,
	rankingWeights,
} from "../../search/lattice/joint-score.js";
import {
	mergedSwaps,
	type Swap,
	swapped,
} from "../../search/lattice/span-swaps.js";
import type { SyllableEvidence } from "../../search/lattice/syllables.js";
import type { Lexicon } from "../../text/zh/word-source.js";
import { CompiledLists } from "../../words/compiled-lists.js";
import { parseHotword } from "../../words/hotword.js";
import type { WordList } from "../../words/word-list.js";
import { crowdOf } from "../hotword-graphs.js";
import type { HotwordOptions } from "../recognizer.js";
import type { ExplainedCandidate, HotwordFindings } from "../refinement.js";

/** Differences looked at before the most promising are scored by the recognizer: those of the texts that its search favoured, and those by sound. */
const favouredMax = 40;
const soundsMax = 64;
const scoredMax = 12;
/** Hotwords put in together. */
const togetherMax = 8;
/** Added to the margin for ten times as many entries: some word of a long list sounds like almost anything. */
const crowdMargin = 2;

/** What is known of the segment. */
export interface ChoiceParts {
	readonly texts: CandidateTexts;
	/** The text chosen without hotwords. */
	readonly units: readonly string[];
	readonly evidence: SyllableEvidence;
	readonly weights: JointWeights;
}

export interface ListedText {
	/** The text with hotwords; absent if none was put in. */
	readonly text?: string;
	/** The best first, the text without hotwords among them; none if there was nothing to try. */
	readonly tried: readonly ExplainedCandidate[];
}

export class HotwordChoice {
	readonly #words: CompiledLists<HotwordWords>;

	constructor(lexicon: Lexicon) {
		this.#words = new CompiledLists((list) =>
			HotwordWords.of(latticeHotwords(list), lexicon),
		);
	}

	preparing({ list }: HotwordOptions): Iterable<void> {
		return this.#words.preparing(list);
	}

	async choose(
		hotwords: HotwordOptions | undefined,
		found: HotwordFindings | undefined,
		parts: ChoiceParts,
	): Promise<ListedText> {
		if (!hotwords || !found) return { tried: [] };
		const words = this.#words.of(hotwords.list);
		const texts = new HotwordCandidates(parts.texts, words, found.texts);
		const margin =
			parts.weights.hotwordMargin + crowdMargin * crowdOf(hotwords.list);
		const trial = new HotwordTrial(texts, found, parts);
		const { chosen, tried } = await trial.tried(margin);
		return {
			...(chosen && { text: chosen.text }),
			tried: tried.map(({ candidate: { text }, features, bonus, score }) => ({
				text,
				total: score,
				scores: { ...features, hotwords: bonus },
			})),
		};
	}
}

function* latticeHotwords({ entries }: WordList) {
	for (const entry of entries)
		yield latticeHotword(parseHotword(entry).writing);
}

/** A text that differs from the one without hotwords. */
interface Difference {
	readonly swap: Swap;
	readonly candidate: Candidate;
	readonly bonus: number;
}

interface ScoredText {
	readonly candidate: Candidate;
	readonly bonus: number;
	readonly features: JointFeatures;
	readonly score: number;
}

/** The hotwords tried in one segment's text. */
class HotwordTrial {
	readonly #texts: HotwordCandidates;
	readonly #found: HotwordFindings;
	readonly #parts: ChoiceParts;

	constructor(
		texts: HotwordCandidates,
		found: HotwordFindings,
		parts: ChoiceParts,
	) {
		this.#texts = texts;
		this.#found = found;
		this.#parts = parts;
	}

	/** The best of the tried texts first; `chosen` if it has a hotword and is better than the text without by more than the margin. */
	async tried(margin: number): Promise<{
		readonly chosen?: Candidate;
		readonly tried: readonly ScoredText[];
	}> {
		const { units } = this.#parts;
		const plain = this.#with(this.#texts.candidate(units));
		const promising = await this.#promising(this.#differences(plain.bonus));
		if (promising.length === 0) return { tried: [] };
		const [base, ...alone] = await this.#score([plain, ...promising]);
		if (!base) return { tried: [] };
		const least = base.score + margin;
		const better = promising.flatMap(({ swap }, i) => {
			const score = alone[i]?.score ?? least;
			return score > least ? [{ swap, gain: score - base.score }] : [];
		});
		const together = mergedSwaps(units, better, togetherMax).map((it) =>
			this.#with(this.#texts.candidate(it)),
		);
		const [best, ...others] = [...alone, ...(await this.#score(together))].sort(
			(one, other) => other.score - one.score,
		);
		return best && best.score > least
			? { chosen: best.candidate, tried: [best, ...others, base] }
			: { tried: [base, ...(best ? [best] : []), ...others] };
	}

	/** Those that bring a hotword, with no more around it than it takes. */
	#differences(plainBonus: number): Difference[] {
		const { units } = this.#parts;
		const swaps = [
			...this.#texts.soundSwaps(units, soundsMax),
			...this.#texts.favouredSwaps(units, favouredMax),
		];
		const kept = new Map<string, Difference>();
		for (const swap of swaps) {
			const candidate = this.#texts.candidate(swapped(units, swap));
			const { bonus } = this.#with(candidate);
			const inside = [...kept.values()].filter((it) => isWithin(it.swap, swap));
			const before = Math.max(plainBonus, ...inside.map((it) => it.bonus));
			const key = candidate.units.join(" ");
			if (bonus > before && !kept.has(key))
				kept.set(key, { swap, candidate, bonus });
		}
		return [...kept.values()];
	}

	async #promising(differences: readonly Difference[]): Promise<Difference[]> {
		if (differences.length <= scoredMax) return [...differences];
		const weights = rankingWeights(this.#parts.weights);
		const syllables = await this.#syllablesOf(differences);
		return differences
			.map((it, i) => {
				const features = featuresOf(it.candidate, syllables[i]);
				return { it, score: this.#scoreOf(features, it.bonus, weights) };
			})
			.sort((one, other) => other.score - one.score)
			.slice(0, scoredMax)
			.map(({ it }) => it);
	}

	async #score(
		texts: readonly { readonly candidate: Candidate; readonly bonus: number }[],
	): Promise<ScoredText[]> {
		if (texts.length === 0) return [];
		const { weights } = this.#parts;
		const syllables = await this.#syllablesOf(texts);
		const scores = await this.#found.scorer.score(
			texts.map((it) => it.candidate.text),
		);
		return texts.map(({ candidate, bonus }, i) => {
			const features = {
				...featuresOf(candidate, syllables[i]),
				recognizer: scores[i]?.logp ?? Number.NaN,
				internal: scores[i]?.internalLogp ?? Number.NaN,
			};
			const score = this.#scoreOf(features, bonus, weights);
			return { candidate, bonus, features, score };
		});
	}

	#syllablesOf(texts: readonly { readonly candidate: Candidate }[]) {
		return this.#parts.evidence.score(texts.map((it) => it.candidate.wanted));
	}

	#scoreOf(features: JointFeatures, bonus: number, weights: JointWeights) {
		return jointScore(features, weights) + weights.hotwords * bonus;
	}

	#with(candidate: Candidate) {
		return { candidate, bonus: this.#found.bonusOf(candidate.text) };
	}
}

/** Without the recognizer's scores. */
function featuresOf(
	{ segmentation, changed }: Candidate,
	syllables: number | undefined,
): JointFeatures {
	return {
		recognizer: 0,
		internal: 0,
		syllables: syllables ?? Number.NEGATIVE_INFINITY,
		segmentation,
		changed,
	};
}

function isWithin(inner: Swap, outer: Swap): boolean {
	return inner.from >= outer.from && inner.to <= outer.to;
}
