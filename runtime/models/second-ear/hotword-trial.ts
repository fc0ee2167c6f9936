/**
 * Tries hotwords in the text of one segment: which differences bring one, which of them are worth asking the recognizer about, and which text is the best.
 */
import type {
	Candidate,
	CandidateTexts,
} from "../../search/lattice/candidates.js";
import type { HotwordCandidates } from "../../search/lattice/hotword-candidates.js";
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
import type { HotwordFindings } from "../refinement.js";

/** Differences looked at before the most promising are scored by the recognizer: those of the texts that its search favoured, and those by sound. */
const favouredMax = 40;
const soundsMax = 40;
const scoredMax = 12;
/**
 * By how much the recognizer may think a text with a hotword likelier than the one without: it has scored that one as the best, and only what is likelier by
 * its sound and its words is worth asking for. On 54 clips no hotword that was put in needed more than 2, and of a list of 20,000 a tenth is left to score.
 */
const recognizerGainMax = 4;
/** Hotwords put in together. */
const togetherMax = 8;
/** Added to the margin for ten times as many entries: some word of a long list sounds like almost anything. */
const crowdMargin = 2.5;

/** What is known of the segment. */
export interface ChoiceParts {
	readonly texts: CandidateTexts;
	/** The text chosen without hotwords. */
	readonly units: readonly string[];
	readonly evidence: SyllableEvidence;
	readonly weights: JointWeights;
}

/** A text, and what the hotwords in it earn. */
interface BonusText {
	readonly candidate: Candidate;
	readonly bonus: number;
}

/** A text that differs from the one without hotwords. */
interface Difference extends BonusText {
	readonly swap: Swap;
}

export interface ScoredText extends BonusText {
	readonly features: JointFeatures;
	readonly score: number;
}

/** The hotwords tried in one segment's text. */
export class HotwordTrial {
	readonly #texts: HotwordCandidates;
	readonly #found: HotwordFindings;
	readonly #parts: ChoiceParts;
	/** A text with a hotword must be better than the one without by this much. */
	readonly #margin: number;

	constructor(
		texts: HotwordCandidates,
		found: HotwordFindings,
		parts: ChoiceParts,
		crowd: number,
	) {
		this.#texts = texts;
		this.#found = found;
		this.#parts = parts;
		this.#margin = parts.weights.hotwordMargin + crowdMargin * crowd;
	}

	/** The best of the tried texts first; `chosen` if it has a hotword and is better than the text without by more than the margin. */
	async tried(): Promise<{
		readonly chosen?: Candidate;
		readonly tried: readonly ScoredText[];
	}> {
		const { units } = this.#parts;
		const plain = this.#with(this.#texts.candidate(units));
		const promising = await this.#promising(
			plain,
			this.#differences(plain.bonus),
		);
		if (promising.length === 0) return { tried: [] };
		const [base, ...alone] = await this.#score([plain, ...promising]);
		if (!base) return { tried: [] };
		const least = base.score + this.#margin;
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
			const wanted = swapped(units, swap);
			const key = wanted.join(" ");
			if (kept.has(key)) continue;
			const bonus = this.#found.bonusOf(this.#texts.write(wanted));
			const inside = [...kept.values()].filter((it) => isWithin(it.swap, swap));
			const before = Math.max(plainBonus, ...inside.map((it) => it.bonus));
			if (bonus <= before) continue;
			const candidate = this.#texts.candidate(wanted);
			kept.set(key, { swap, candidate, bonus });
		}
		return [...kept.values()];
	}

	/** Those that may win, whatever the recognizer says within reason. */
	async #promising(
		plain: BonusText,
		differences: readonly Difference[],
	): Promise<Difference[]> {
		if (differences.length === 0) return [];
		const { weights } = this.#parts;
		const ranking = rankingWeights(weights);
		const texts = [plain, ...differences];
		const syllables = await this.#syllablesOf(texts);
		const [own, ...others] = texts.map(({ candidate, bonus }, i) => {
			const features = featuresOf(candidate, syllables[i]);
			return {
				score: this.#scoreOf(features, bonus, weights),
				rank: this.#scoreOf(features, bonus, ranking),
			};
		});
		const least = (own?.score ?? 0) + this.#margin - recognizerGainMax;
		return differences
			.map((it, i) => ({
				it,
				...(others[i] as { score: number; rank: number }),
			}))
			.filter(({ score }) => score > least)
			.sort((one, other) => other.rank - one.rank)
			.slice(0, scoredMax)
			.map(({ it }) => it);
	}

	async #score(texts: readonly BonusText[]): Promise<ScoredText[]> {
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
				end: scores[i]?.endLogp ?? Number.NaN,
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

	#with(candidate: Candidate): BonusText {
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
		end: 0,
		internal: 0,
		syllables: syllables ?? Number.NEGATIVE_INFINITY,
		segmentation,
		changed,
	};
}

function isWithin(inner: Swap, outer: Swap): boolean {
	return inner.from >= outer.from && inner.to <= outer.to;
}
