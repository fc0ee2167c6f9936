/**
 * Identifies which of two languages a segment of mixed speech is in. Whisper predicts the language right after the start of a transcript: one step of the
 * decoder over a segment that is already encoded. For a span of the segment, the decoder attends to that span only: as reliable as a separate encoder
 * pass, at a twentieth of the cost.
 */

import type { SampleRange } from "../../segmentation/events.js";
import type { Language } from "../../text/languages.js";
import {
	type LanguagePair,
	pairOf,
	sureLogOdds,
} from "../../text/languages.js";
import type { Tensor } from "../inference-port.js";
import type { LikeliestLanguage } from "../recognizer.js";
import type { WhisperDecoder } from "./decoder.js";
import type { EncodedSegment } from "./encoded-segment.js";
import { decoderNames } from "./graphs.js";
import type { PromptLanguage } from "./punctuator.js";
import {
	languageTokenOf,
	promptLanguageOf,
	type SegmentFeatures,
} from "./segment-features.js";

export interface IdentifiedLanguage {
	readonly language: PromptLanguage;
	/** Fields of the hypothesis; empty where the request names one language. */
	readonly reported: {
		readonly spokenIn?: Language;
		readonly languageLogOdds?: readonly number[];
	};
}

const samplesPerPosition = 320;
/**
 * Natural log odds of the likeliest of several languages against the next. Measured with whisper-base on the first 1.2 s of 106 passages of real speech: 9 were
 * taken for another language, all Chinese or Japanese, 2 of them with more than this (docs/benchmarks/log.md); 7 in 10 have more.
 */
const sureLead = 4;
/** Share of the confidently identified speech; less is a single word, or a mistake. */
const easternShareMin = 0.2;

export class LanguageIdentification {
	readonly #decoder: WhisperDecoder;
	readonly #freeBias: Tensor;

	constructor(decoder: WhisperDecoder) {
		this.#decoder = decoder;
		this.#freeBias = decoder.biasTensor([]);
	}

	/** @param encoded the whole segment, not a batch. */
	async identify(
		{ request }: Pick<SegmentFeatures, "request">,
		encoded: EncodedSegment,
	): Promise<IdentifiedLanguage> {
		const { language, spokenIn, presumedIn, samples } = request;
		const pair = pairOf(language);
		if (!pair) return { language: promptLanguageOf(language), reported: {} };
		if (spokenIn)
			return { language: promptLanguageOf(spokenIn), reported: { spokenIn } };
		const spans = request.languageSpans ?? [
			{ startSample: 0, endSample: samples.length },
		];
		const languageLogOdds: number[] = [];
		for (const span of spans)
			languageLogOdds.push(await this.#logOdds(pair, encoded, span));
		const found = mainLanguage(pair, spans, languageLogOdds, presumedIn);
		return {
			language: promptLanguageOf(found),
			reported: { spokenIn: found, languageLogOdds },
		};
	}

	/** @param span of the segment; default: all of it. @returns the likeliest of the languages, none of them mixed. */
	async likeliest(
		choices: readonly Language[],
		{ cross, positions }: EncodedSegment,
		span?: SampleRange,
	): Promise<LikeliestLanguage | undefined> {
		const logProbabilities = await this.#logProbabilities(
			choices,
			span ? this.#attendingTo(cross, positions, span) : cross,
		);
		const [first = 0, second = Number.NEGATIVE_INFINITY] =
			logProbabilities.toSorted((a, b) => b - a);
		const language = choices[logProbabilities.indexOf(first)];
		return language && { language, isSure: first - second >= sureLead };
	}

	async #logOdds(
		pair: LanguagePair,
		{ cross, positions }: EncodedSegment,
		span: SampleRange,
	): Promise<number> {
		const [eastern = 0, english = 0] = await this.#logProbabilities(
			pair,
			this.#attendingTo(cross, positions, span),
		);
		return eastern - english;
	}

	async #logProbabilities(
		choices: readonly Language[],
		cross: EncodedSegment["cross"],
	): Promise<number[]> {
		const { shape } = this.#decoder;
		const run = this.#decoder.begin(cross);
		try {
			const { extraLogp } = await run.step({
				tokens: [shape.special.startOfTranscript],
				parents: [0],
				bias: this.#freeBias,
				extraIds: choices.map((it) =>
					languageTokenOf(shape, promptLanguageOf(it)),
				),
			});
			return Array.from(extraLogp.subarray(0, choices.length));
		} finally {
			run.close();
		}
	}

	/** Decoders of older packages attend to everything, so that every span gets the result of the whole segment. */
	#attendingTo(
		cross: EncodedSegment["cross"],
		positions: number,
		{ startSample, endSample }: SampleRange,
	): EncodedSegment["cross"] {
		if (!this.#decoder.supportsUnequalLengths) return cross;
		const from = Math.min(
			Math.floor(startSample / samplesPerPosition),
			positions - 1,
		);
		const to = Math.ceil(endSample / samplesPerPosition);
		const bias = new Float32Array(positions).fill(Number.NEGATIVE_INFINITY);
		bias.fill(0, from, Math.max(from + 1, to));
		const { port } = this.#decoder;
		return {
			...cross,
			[decoderNames.crossBias]: port.tensor("float32", bias, [1, positions]),
		};
	}
}

/**
 * The language to recognize the whole segment in. The eastern language's recognition also gets English words right, the reverse hardly ever: English is
 * chosen only where nearly all confidently identified speech is English.
 */
function mainLanguage(
	[eastern, english]: LanguagePair,
	spans: readonly SampleRange[],
	logOdds: readonly number[],
	presumed: Language | undefined,
): Language {
	const lengths = spans.map((it) => it.endSample - it.startSample);
	const sum = (weigh: (logOdds: number) => number) =>
		logOdds.reduce((all, it, i) => all + weigh(it) * (lengths[i] ?? 0), 0);
	const surelyEastern = sum((it) => (it > sureLogOdds ? 1 : 0));
	const surelyEnglish = sum((it) => (it < -sureLogOdds ? 1 : 0));
	const sure = surelyEastern + surelyEnglish;
	if (sure > 0)
		return surelyEastern > easternShareMin * sure ? eastern : english;
	if (presumed) return presumed;
	return sum((it) => it) < 0 ? english : eastern;
}
