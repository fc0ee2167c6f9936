/**
 * The search of one segment: the prompt in one pass, then a beam of hypotheses step by step. Timestamp tokens are never used: the VAD sets the segment's
 * times.
 */

import {
	beamSearch,
	type SearchOptions,
	type SearchResult,
	type StepScores,
} from "../../search/beam-search.js";
import {
	type BiasedScores,
	type Biasing,
	biasedBeamSearch,
} from "../../search/biased-search.js";
import type { Tensor } from "../inference-port.js";
import type { StepOutput, WhisperDecoder } from "./decoder.js";
import type { Steps } from "./decoder-batch.js";
import { topCount } from "./graphs.js";

export interface SegmentSearchRequest {
	/** The decoder run over the segment; closed when the search is over. */
	readonly run: Steps;
	/** The tokens before the text. */
	readonly prompt: readonly number[];
	/** Settled tokens, which the search continues. */
	readonly prefix: readonly number[];
	readonly beam: number;
	readonly seconds: number;
	/** Hotword bonuses. */
	readonly biasing?: Biasing | undefined;
	readonly cancelled: () => boolean;
	/** Also return the other hypotheses. */
	readonly withAlternatives?: boolean;
}

export interface FoundTokens extends SearchResult {
	/** Probability that there is no speech, scored at the start of the transcript. */
	readonly noSpeech: number;
	/** Of the text that the search found, where another was chosen. */
	readonly meanLogp?: number;
}

/** The fastest speakers in our clips need 9 tokens per second. */
const tokensPerSecondMax = 14;
const tokensMaxBase = 16;
/** Half of Whisper's text context. */
const tokensMaxEver = 224;
const lengthPenalty = 1;

export class SegmentSearch {
	readonly #decoder: WhisperDecoder;
	/** Forbids only suppressed tokens; control tokens stay allowed at the start, because no-speech is scored there. */
	readonly #firstBias: Tensor;
	readonly #prefixedBias: Tensor;
	/** After the first token. */
	readonly bias: Tensor;

	constructor(decoder: WhisperDecoder) {
		this.#decoder = decoder;
		const { shape } = decoder;
		const { endOfText } = shape.special;
		const words = shape.suppress.filter((token) => token < endOfText);
		const controls: number[] = [];
		for (let token = endOfText + 1; token < shape.vocabulary; token++)
			controls.push(token);
		this.#firstBias = decoder.biasTensor([...words, ...shape.suppressFirst]);
		this.#prefixedBias = decoder.biasTensor(words);
		this.bias = decoder.biasTensor([...words, ...controls]);
	}

	async find(
		request: SegmentSearchRequest,
	): Promise<FoundTokens | "cancelled"> {
		const { special } = this.#decoder.shape;
		const { run, prefix, biasing } = request;
		try {
			const prompt = [...request.prompt, ...prefix];
			const offers = biasing?.offers(biasing.start) ?? [];
			const extraIds = [special.noSpeech, ...offers];
			const first = await run.step({
				tokens: prompt,
				parents: [0],
				positions: [0, prompt.length - 1],
				bias: prefix.length > 0 ? this.#prefixedBias : this.#firstBias,
				extraIds: [...extraIds, ...extraIds],
			});
			const options = {
				beam: request.beam,
				endOfText: special.endOfText,
				tokensMax: tokensMaxFor(request.seconds),
				lengthPenalty,
				prefix,
				cancelled: request.cancelled,
				withAlternatives: request.withAlternatives ?? false,
			};
			const scores = scoresAt(first, 1);
			const found =
				biasing === undefined
					? await this.#searchPlainly(run, scores, options)
					: await this.#searchBiased(
							run,
							{
								...scores,
								offered: [first.extraLogp.slice(extraIds.length + 1)],
							},
							options,
							biasing,
						);
			if (found === "cancelled") return found;
			return { ...found, noSpeech: Math.exp(first.extraLogp[0] as number) };
		} finally {
			run.close();
		}
	}

	#searchPlainly(run: Steps, first: StepScores, options: SearchOptions) {
		return beamSearch(
			first,
			async (tokens, parents) =>
				scoresAt(await run.step({ tokens, parents, bias: this.bias }), 0),
			options,
		);
	}

	#searchBiased(
		run: Steps,
		first: BiasedScores,
		options: SearchOptions,
		biasing: Biasing,
	) {
		return biasedBeamSearch(
			first,
			async (tokens, parents, offers) => {
				const width = Math.max(...offers.map((one) => one.length));
				const output = await run.step({
					tokens,
					parents,
					bias: this.bias,
					extraIds: padded(offers, width),
				});
				return {
					...scoresAt(output, 0),
					offered: offers.map((_, row) =>
						output.extraLogp.subarray(row * width, (row + 1) * width),
					),
				};
			},
			options,
			biasing,
		);
	}
}

/** Pads rows to one width; the scores of the padding are ignored. */
function padded(
	rows: readonly (readonly number[])[],
	width: number,
): Int32Array {
	const ids = new Int32Array(rows.length * width);
	rows.forEach((row, i) => {
		ids.set(row, i * width);
	});
	return ids;
}

function tokensMaxFor(seconds: number): number {
	const wanted = Math.ceil(tokensMaxBase + tokensPerSecondMax * seconds);
	return Math.min(wanted, tokensMaxEver);
}

/** The scores from `position` on. */
function scoresAt(output: StepOutput, position: number): StepScores {
	const from = position * topCount;
	return {
		ids: output.ids.subarray(from),
		logp: output.logp.subarray(from),
	};
}
