/**
 * Listens for phrases with a syllable recognizer: features and encoder frames as audio arrives, and the search for the phrases over them.
 *
 * INVARIANT: what is found depends on the samples since `begin` only, not on how they were split.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { hopSamples } from "../../features/filterbank-port.js";
import { KeywordGraph } from "../../search/keyword-graph.js";
import {
	type FoundKeyword,
	KeywordSearch,
} from "../../search/keyword-search.js";
import type {
	KeywordSpotter,
	Spotted,
	SpottedPhrase,
} from "../keyword-spotter.js";
import { ModelFault } from "../model-fault.js";
import type { EncoderState } from "../streaming/stream-encoder.js";
import type { ZipformerGraphs } from "../zipformer/graphs.js";
import type { PinyinSymbols } from "./pinyin-symbols.js";

/** With 4 one call in 25 from a distance was lost, whatever the bonus. */
const paths = 8;
/** Natural logarithm, for each token. With 1 one call in 12 was lost in the beam; what 2.5 finds too much has less probability than the threshold. */
const bonus = 2.5;
const blanksMin = 1;
/** Silence after a stretch of audio that has ended: the encoder looks ahead, and computes whole chunks. */
const tailSamples = 0.8 * sampleRateHz;
const capacityStart = 4 * sampleRateHz;

/** @throws ModelFault when the model has no symbols for a syllable. */
function keywordGraphOf(
	phrases: readonly SpottedPhrase[],
	symbols: PinyinSymbols,
): KeywordGraph {
	return new KeywordGraph(
		phrases.map(({ phrase, syllables, threshold }) => ({
			threshold,
			tokens: syllables.flatMap((syllable) => {
				const tokens = symbols.tokensOf(syllable);
				if (!tokens)
					throw new ModelFault(
						`the second ear has no symbols for ${syllable.base} in ${JSON.stringify(phrase)}`,
					);
				return tokens.map(({ token, tones = [] }) => ({
					token,
					variants: tones,
				}));
			}),
		})),
	);
}

export class TransducerKeywordSpotter implements KeywordSpotter {
	readonly #graphs: ZipformerGraphs;
	readonly #phrases: readonly SpottedPhrase[];
	readonly #search: KeywordSearch;
	/** Since `begin`. */
	#samples = new Float32Array(capacityStart);
	#length = 0;
	/** Feature frames and encoder frames so far. */
	#features = 0;
	#encoded = 0;
	#state: EncoderState;

	/** @param graphs shared with others. @throws ModelFault when the model has no symbols for a syllable. */
	constructor(
		graphs: ZipformerGraphs,
		symbols: PinyinSymbols,
		phrases: readonly SpottedPhrase[],
	) {
		this.#graphs = graphs;
		this.#phrases = phrases;
		this.#state = graphs.encoder.initial;
		this.#search = new KeywordSearch(keywordGraphOf(phrases, symbols), {
			paths,
			bonus,
			blanksMin,
			silent: graphs.silent,
			vocabulary: graphs.transducer.vocabulary,
		});
	}

	begin(): void {
		this.#length = 0;
		this.#features = 0;
		this.#encoded = 0;
		this.#graphs.encoder.release(this.#state);
		this.#state = this.#graphs.encoder.initial;
		this.#search.reset();
	}

	async accept(samples: Float32Array): Promise<Spotted | undefined> {
		this.#append(samples);
		const { fbank, encoder } = this.#graphs;
		const { chunkFrames } = encoder.shape;
		let spotted: Spotted | undefined;
		while (this.#features + chunkFrames <= fbank.frameCount(this.#length)) {
			const found = await this.#nextChunk();
			spotted ??= found;
		}
		return spotted;
	}

	async end(): Promise<Spotted | undefined> {
		const spoken = this.#length;
		const spotted = await this.accept(new Float32Array(tailSamples));
		if (!spotted) return undefined;
		const lastVowelSample = Math.min(spotted.lastVowelSample, spoken);
		return { ...spotted, lastVowelSample };
	}

	async #nextChunk(): Promise<Spotted | undefined> {
		const { fbank, encoder } = this.#graphs;
		const { chunkFrames, hopFrames } = encoder.shape;
		const before = this.#state;
		const { frames, count, width, next } = await encoder.encode(
			fbank.frames(this.#samples, this.#features, chunkFrames),
			before,
		);
		this.#state = next;
		encoder.release(before);
		this.#features += hopFrames;
		let spotted: Spotted | undefined;
		for (let i = 0; i < count; i++) {
			const frame = frames.subarray(i * width, (i + 1) * width);
			const found = this.#search.accept(
				await this.#logps(frame),
				this.#encoded + i,
			);
			if (found) spotted ??= this.#spotted(found, hopFrames / count);
		}
		this.#encoded += count;
		return spotted;
	}

	/** @returns [contexts, vocabulary] */
	async #logps(frame: Float32Array): Promise<Float32Array> {
		const { transducer } = this.#graphs;
		const { start, contextSize } = transducer;
		const contexts = this.#search.contexts.map((it) =>
			[...start, ...it].slice(-contextSize),
		);
		const predictions = await transducer.predict(contexts);
		const width = predictions[0]?.length ?? 0;
		const values = new Float32Array(contexts.length * width);
		predictions.forEach((it, i) => {
			values.set(it, i * width);
		});
		return transducer.logProbabilities(
			{
				values: frame,
				width: frame.length,
				rows: new Int32Array(contexts.length),
			},
			{ values, width, rows: Int32Array.from(contexts, (_, i) => i) },
		);
	}

	#spotted(
		{ keyword, probability, firstFrame, lastFrame }: FoundKeyword,
		featuresPerFrame: number,
	): Spotted {
		const sampleOf = (frame: number) =>
			Math.round(frame * featuresPerFrame * hopSamples);
		return {
			phrase: this.#phrases[keyword]?.phrase ?? "",
			confidence: probability,
			startSample: sampleOf(firstFrame),
			lastVowelSample: sampleOf(lastFrame),
		};
	}

	#append(samples: Float32Array): void {
		const length = this.#length + samples.length;
		if (length > this.#samples.length) {
			const grown = new Float32Array(
				Math.max(length, 2 * this.#samples.length),
			);
			grown.set(this.#samples.subarray(0, this.#length));
			this.#samples = grown;
		}
		this.#samples.set(samples, this.#length);
		this.#length = length;
	}
}
