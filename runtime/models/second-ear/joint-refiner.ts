/**
 * Chooses the text of a Chinese segment from what two recognizers know of it: the recognizer of texts proposes some and scores any, the syllable recognizer
 * proposes what else its sounds may be and scores their syllables, and the lexicon knows which words are likely.
 *
 * Forced scores of the recognizer are what costs time. So the candidates are sorted by everything that is cheap, and only the first are scored; then single
 * differences of the others are tried in the best of them, and those that help are merged.
 */
import {
	type Candidate,
	CandidateTexts,
	candidateOptions,
} from "../../search/lattice/candidates.js";
import {
	chosenText,
	type JointFeatures,
	type JointWeights,
	jointScore,
	rankingWeights,
	weightsFor,
} from "../../search/lattice/joint-score.js";
import {
	mergedSwaps,
	swapped,
	swapsInto,
} from "../../search/lattice/span-swaps.js";
import type { SyllableEvidence } from "../../search/lattice/syllables.js";
import type { SingleLanguage } from "../../text/languages.js";
import type { Lexicon } from "../../text/zh/word-source.js";
import type { HotwordOptions, SegmentRequest } from "../recognizer.js";
import type {
	Alternative,
	HotwordFindings,
	Refinement,
	TextRefiner,
	TextScorer,
} from "../refinement.js";
import type { SecondEar } from "../syllable-recognizer.js";
import { HotwordChoice } from "./hotword-choice.js";

/** How many texts are scored by the recognizer. */
export interface RefinementEffort {
	/** Candidates of the first round; the recognizer's own text is always one. */
	readonly first: number;
	/** Single differences tried in the best text, the most promising. */
	readonly swaps: number;
	/** Texts with several differences. */
	readonly merged: number;
}

export const refinementEffort: RefinementEffort = {
	first: 12,
	swaps: 11,
	merged: 3,
};

/** Differences looked at before the most promising are chosen. */
const swapsConsidered = 40;

interface ScoredCandidate {
	readonly candidate: Candidate;
	readonly features: JointFeatures;
	readonly score: number;
}

/** A candidate without the recognizer's forced scores. */
interface CheapCandidate {
	readonly candidate: Candidate;
	readonly syllables: number;
	readonly score: number;
}

export class JointRefiner implements TextRefiner {
	readonly languages: readonly SingleLanguage[] = ["zh-cmn-Hans-CN"];
	readonly #ear: SecondEar;
	readonly #lexicon: Lexicon;
	readonly #weights: JointWeights;
	readonly #effort: RefinementEffort;
	readonly #hotwords: HotwordChoice;

	constructor(
		ear: SecondEar,
		lexicon: Lexicon,
		weights: JointWeights,
		effort: RefinementEffort = refinementEffort,
	) {
		this.#ear = ear;
		this.#lexicon = lexicon;
		this.#weights = weights;
		this.#effort = effort;
		this.#hotwords = new HotwordChoice(lexicon);
	}

	preparing(hotwords: HotwordOptions): Iterable<void> {
		return this.#hotwords.preparing(hotwords);
	}

	follow(request: SegmentRequest): Promise<void> {
		return this.#ear.follow(request);
	}

	async refine(
		request: SegmentRequest,
		alternatives: readonly Alternative[],
		scorer: TextScorer,
		found?: HotwordFindings,
	): Promise<Refinement | undefined> {
		const evidence = await this.#ear.evidence(request);
		if (!evidence || evidence.syllables.length === 0) return undefined;
		const texts = new CandidateTexts(
			evidence.syllables,
			alternatives,
			this.#lexicon,
			candidateOptions,
		);
		const weights = weightsFor(this.#weights, evidence.syllables);
		const segment = new SegmentScores(evidence, scorer, weights);
		const cheap = await segment.cheapScores(texts.candidates);
		const [own, ...others] = cheap;
		if (!own) return undefined;
		others.sort((one, other) => other.score - one.score);
		const { first, swaps, merged } = this.#effort;
		const scored = await segment.score([own, ...others.slice(0, first - 1)]);

		const base = bestOf(scored);
		const ranked = [base, ...scored.filter((it) => it !== base)]
			.map(({ candidate }) => candidate)
			.concat(others.slice(first - 1).map(({ candidate }) => candidate))
			.map(({ units }) => ({ units, score: 0 }));
		const differences = swapsInto(ranked, swapsConsidered);
		const tried = await segment.cheapScores(
			differences.map((it) =>
				texts.candidate(swapped(base.candidate.units, it)),
			),
		);
		const promising = differences
			.map((swap, i) => ({ swap, cheap: tried[i] as CheapCandidate }))
			.filter(({ cheap: { candidate } }) => !segment.knows(candidate))
			.sort((one, other) => other.cheap.score - one.cheap.score)
			.slice(0, swaps);
		scored.push(...(await segment.score(promising.map((it) => it.cheap))));
		const gains = differences.flatMap((swap, i) => {
			const known = segment.find((tried[i] as CheapCandidate).candidate);
			return known ? [{ swap, gain: known.score - base.score }] : [];
		});
		const together = mergedSwaps(base.candidate.units, gains, merged)
			.map((units) => texts.candidate(units))
			.filter((it) => !segment.knows(it));
		scored.push(...(await segment.score(await segment.cheapScores(together))));

		const scores = scored.map(({ score }) => score);
		const chosen = scored[chosenText(scores, weights.margin)];
		if (!chosen) return undefined;
		const ownText = alternatives[0]?.text ?? "";
		const plainText =
			chosen.candidate === own.candidate ? ownText : chosen.candidate.text;
		const listed = await this.#hotwords.choose(request.hotwords, found, {
			texts,
			units: chosen.candidate.units,
			evidence,
			weights,
		});
		return {
			text: listed.text ?? plainText,
			hasHotwords: listed.text !== undefined,
			explanation: {
				ownText,
				sounds: evidence.syllables
					.map(({ base: syllable, tone }) => `${syllable}${tone}`)
					.join(" "),
				candidates: [...scored]
					.sort((one, other) => other.score - one.score)
					.map(({ candidate: { text }, features, score }) => ({
						text,
						total: score,
						scores: { ...features },
					})),
				...(listed.tried.length > 0 && { hotwords: listed.tried }),
			},
		};
	}
}

/** The scores of one segment's candidates. */
class SegmentScores {
	readonly #evidence: SyllableEvidence;
	readonly #scorer: TextScorer;
	readonly #weights: JointWeights;
	readonly #known = new Map<string, ScoredCandidate>();

	constructor(
		evidence: SyllableEvidence,
		scorer: TextScorer,
		weights: JointWeights,
	) {
		this.#evidence = evidence;
		this.#scorer = scorer;
		this.#weights = weights;
	}

	knows(candidate: Candidate): boolean {
		return this.#known.has(keyOf(candidate));
	}

	find(candidate: Candidate): ScoredCandidate | undefined {
		return this.#known.get(keyOf(candidate));
	}

	/** Without the recognizer's scores, which are taken as equal. */
	async cheapScores(
		candidates: readonly Candidate[],
	): Promise<CheapCandidate[]> {
		const scores = await this.#evidence.score(
			candidates.map(({ wanted }) => wanted),
		);
		return candidates.map((candidate, i) => {
			const syllables = scores[i] ?? Number.NEGATIVE_INFINITY;
			const { segmentation, changed } = candidate;
			const score = jointScore(
				{ recognizer: 0, internal: 0, syllables, segmentation, changed },
				rankingWeights(this.#weights),
			);
			return { candidate, syllables, score };
		});
	}

	async score(cheap: readonly CheapCandidate[]): Promise<ScoredCandidate[]> {
		const texts = cheap.map(({ candidate }) => candidate.text);
		const scores = await this.#scorer.score(texts);
		return cheap.map(({ candidate, syllables }, i) => {
			const { segmentation, changed } = candidate;
			const features = {
				recognizer: scores[i]?.logp ?? Number.NaN,
				internal: scores[i]?.internalLogp ?? Number.NaN,
				syllables,
				segmentation,
				changed,
			};
			const score = jointScore(features, this.#weights);
			const scored = { candidate, features, score };
			this.#known.set(keyOf(candidate), scored);
			return scored;
		});
	}
}

function keyOf({ units }: Candidate): string {
	return units.join(" ");
}

function bestOf(scored: readonly ScoredCandidate[]): ScoredCandidate {
	return scored.reduce((best, it) => (it.score > best.score ? it : best));
}
