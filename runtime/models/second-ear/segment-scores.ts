/**
 * The scores of one segment's candidates. The recognizer's forced scores are what costs time, and its internal language model's as much again, so that one is
 * only asked about texts that it may decide between.
 */
import type { Candidate } from "../../search/lattice/candidates.js";
import {
	type JointFeatures,
	type JointWeights,
	jointScore,
	rankingWeights,
} from "../../search/lattice/joint-score.js";
import type { SyllableEvidence } from "../../search/lattice/syllables.js";
import type { TextScorer } from "../refinement.js";

/** A candidate without the recognizer's scores. */
export interface CheapCandidate {
	readonly candidate: Candidate;
	readonly features: JointFeatures;
	/** Ranks it (rankingWeights). */
	readonly score: number;
	/** The joint score without the recognizer's part. */
	readonly gain: number;
}

export interface ScoredCandidate extends CheapCandidate {
	/** The joint score. */
	readonly score: number;
}

/**
 * The internal language model is not asked about texts that are worse than the best one by this much without it. On 79 clips it never preferred one that was
 * worse by more than 3.4.
 */
const internalRange = 5;

interface Known {
	readonly cheap: CheapCandidate;
	readonly recognizer: number;
	readonly end: number;
	internal: number | undefined;
}

export class SegmentScores {
	readonly #evidence: SyllableEvidence;
	readonly #scorer: TextScorer;
	readonly #weights: JointWeights;
	readonly #known = new Map<string, Known>();
	/** The internal language model's score of the recognizer's own text, which stands for those that were not asked for. */
	#ownInternal = 0;

	constructor(
		evidence: SyllableEvidence,
		scorer: TextScorer,
		weights: JointWeights,
	) {
		this.#evidence = evidence;
		this.#scorer = scorer;
		this.#weights = weights;
	}

	/** All that the recognizer has scored, its own text first. */
	get scored(): ScoredCandidate[] {
		return [...this.#known.values()].map((it) => this.#joined(it));
	}

	find(candidate: Candidate): ScoredCandidate | undefined {
		const known = this.#known.get(keyOf(candidate));
		return known && this.#joined(known);
	}

	/** Without the recognizer's scores, which are taken as equal. */
	async cheapScores(
		candidates: readonly Candidate[],
	): Promise<CheapCandidate[]> {
		const scores = await this.#evidence.score(
			candidates.map(({ wanted }) => wanted),
		);
		return candidates.map((candidate, i) => {
			const { segmentation, changed } = candidate;
			const syllables = scores[i] ?? Number.NEGATIVE_INFINITY;
			const features = {
				recognizer: 0,
				end: 0,
				internal: 0,
				syllables,
				segmentation,
				changed,
			};
			const score = jointScore(features, rankingWeights(this.#weights));
			const gain = jointScore(features, this.#weights);
			return { candidate, features, score, gain };
		});
	}

	/** By the recognizer. The first call has the recognizer's own text first. */
	async score(cheap: readonly CheapCandidate[]): Promise<void> {
		if (cheap.length === 0) return;
		const texts = cheap.map(({ candidate }) => candidate.text);
		const scores = await this.#scorer.score(texts, { internal: false });
		cheap.forEach((it, i) => {
			this.#known.set(keyOf(it.candidate), {
				cheap: it,
				recognizer: scores[i]?.logp ?? Number.NaN,
				end: scores[i]?.endLogp ?? Number.NaN,
				internal: undefined,
			});
		});
		await this.#askInternal();
	}

	async #askInternal(): Promise<void> {
		const [own, ...others] = [...this.#known.values()];
		if (!own) return;
		const least =
			Math.max(...[own, ...others].map((it) => this.#withoutInternal(it))) -
			internalRange;
		const wanted = others.filter(
			(it) => it.internal === undefined && this.#withoutInternal(it) > least,
		);
		if (wanted.length === 0) return;
		if (own.internal === undefined) wanted.unshift(own);
		const scores = await this.#scorer.score(
			wanted.map(({ cheap }) => cheap.candidate.text),
		);
		wanted.forEach((it, i) => {
			it.internal = scores[i]?.internalLogp ?? Number.NaN;
		});
		this.#ownInternal = own.internal ?? 0;
	}

	#withoutInternal({ cheap, recognizer, end }: Known): number {
		return jointScore({ ...cheap.features, recognizer, end }, this.#weights);
	}

	#joined({ cheap, recognizer, end, internal }: Known): ScoredCandidate {
		const features = {
			...cheap.features,
			recognizer,
			end,
			internal: internal ?? this.#ownInternal,
		};
		return { ...cheap, features, score: jointScore(features, this.#weights) };
	}
}

function keyOf({ units }: Candidate): string {
	return units.join(" ");
}
