/**
 * Whisper as a speech recognizer: segments of speech in, their texts, words and confidence out, one by one or in batches. Steps for a segment: features,
 * a check that the audio can be speech at all, then decoding (segment-decoder.ts).
 */

import { sampleRateHz } from "../../audio/sample-rate.js";
import { hopSamples } from "../../features/filterbank-port.js";
import { frameLevels, swingDb, whyNotSpeech } from "../../features/sound.js";
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";
import type {
	InferenceOptions,
	InferencePort,
	ProcessorChoice,
	ProcessorProbe,
	SharedConstants,
	WantedProcessor,
} from "../inference-port.js";
import { OpenGraphs } from "../open-graphs.js";
import {
	type Capabilities,
	emptyHypothesis,
	type HotwordOptions,
	type Hypothesis,
	type LikeliestLanguage,
	type SegmentRequest,
	type SpeechRecognizer,
} from "../recognizer.js";
import type { RefinerOptions } from "../refinement.js";
import { CrossAttentionCache } from "./cross-attention-cache.js";
import { WhisperDecoder } from "./decoder.js";
import {
	contextFor,
	contextSecondsMax,
	secondContextFor,
	WhisperEncoder,
} from "./encoder.js";
import { GroupDecoder } from "./group-decoder.js";
import { HotwordBiases } from "./hotword-bias.js";
import type { WhisperParts } from "./parts.js";
import { decoderProbe, encoderProbe } from "./processor-probes.js";
import { SegmentBatching, secondsOf } from "./segment-batching.js";
import { WhisperSegmentDecoder } from "./segment-decoder.js";
import { promptLanguageOf, type SegmentFeatures } from "./segment-features.js";
import { translates, type WhisperShape } from "./shape.js";
import { WhisperTokenizer } from "./tokenizer.js";
import { TreeScorer } from "./tree-scorer.js";

/** Contents of a package of kind `whisper` that a recognizer needs. */
export interface WhisperPackage {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: WhisperShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	/** Makes scoring texts for a refiner faster. */
	readonly scorerPath?: string | undefined;
	/** What the scorer has of the decoder: 48 of its 51 MB. */
	readonly shared?: SharedConstants | undefined;
	/** Contents of the tokenizer's file: lines of `<base64> <rank>`. */
	readonly ranks: string;
}

export interface WhisperOptions {
	/** Threads inside one operator; 0: one per core. */
	readonly threads: number;
	/** Processor to try before the CPU; default: the CPU only. */
	readonly processor?: WantedProcessor;
	readonly refiner?: RefinerOptions;
}

/** More speech does not make the language of a segment more certain. */
const identifiedSamplesMax = 7 * sampleRateHz;
/** Of a request whose language is wanted, not its text. */
const identifiedAlone = {
	language: "en-US",
	languageOnly: true,
	beam: 1,
	punctuation: false,
	words: false,
} as const;

export async function openWhisper(
	port: InferencePort,
	source: WhisperPackage,
	options: WhisperOptions,
): Promise<SpeechRecognizer> {
	const { name, languages, shape, scorerPath, shared } = source;
	const { threads, processor: wanted = "cpu", refiner } = options;
	return OpenGraphs.with(port, { threads }, async (graphs) => {
		const open = (path: string, options: Partial<InferenceOptions>) =>
			graphs.open(path, { threads, ...options });
		const on = (probe: ProcessorProbe) => ({ wanted, probe });
		const encoder = await open(source.encoderPath, {
			processor: on(encoderProbe(shape)),
		});
		const decoder = await open(source.decoderPath, {
			shared,
			processor: on(decoderProbe(shape)),
		});
		const scorer =
			refiner && scorerPath ? await open(scorerPath, { shared }) : undefined;
		const tokenizer = new WhisperTokenizer(source.ranks);
		const parts: WhisperParts = {
			encoder: new WhisperEncoder(port, encoder, shape),
			decoder: new WhisperDecoder(port, decoder, shape),
			tokenizer,
			crossCache: new CrossAttentionCache(port, shape),
			biases: new HotwordBiases(tokenizer, shape),
			refiner,
			treeScorer: scorer && (await TreeScorer.open(port, scorer, shape)),
		};
		return new WhisperRecognizer(
			parts,
			name,
			languages,
			[encoder, decoder].flatMap(({ choice }) => choice ?? []),
			() => {
				parts.encoder.forget();
				parts.crossCache.forget();
				return graphs.close();
			},
		);
	});
}

export const whisperCapabilities: Capabilities = {
	search: "beam search",
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: false,
	guards: ["inaudible", "steady", "doubt", "repetition", "hallucination"],
};

class WhisperRecognizer implements SpeechRecognizer {
	readonly capabilities = whisperCapabilities;
	readonly translates: boolean;
	readonly #parts: WhisperParts;
	readonly #segmentDecoder: WhisperSegmentDecoder;
	readonly #batching: SegmentBatching;
	readonly #groupDecoder: GroupDecoder;
	/** The cache holds one batch, so a second batch waits: two at once would attend to each other's audio. */
	#batchOver: Promise<unknown> = Promise.resolve();

	constructor(
		parts: WhisperParts,
		readonly name: string,
		readonly languages: readonly Language[],
		readonly processors: readonly ProcessorChoice[],
		readonly close: () => Promise<void>,
	) {
		this.#parts = parts;
		this.translates = translates(parts.decoder.shape);
		this.#segmentDecoder = new WhisperSegmentDecoder(parts);
		this.#batching = new SegmentBatching(parts.decoder, parts.crossCache);
		this.#groupDecoder = new GroupDecoder(
			parts,
			this.#segmentDecoder,
			this.#batching,
		);
	}

	*preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		const spoken = pairOf(language) ?? [language];
		for (const one of spoken)
			yield* this.#parts.biases.preparing(hotwords, promptLanguageOf(one));
		if (this.#refines(spoken))
			yield* this.#parts.refiner?.refiner.preparing?.(hotwords) ?? [];
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const extracted = this.#extractFeatures(request);
		if ("text" in extracted) return extracted;
		await this.#follow(request);
		const first = contextFor(secondsOf(request), request.open ?? false);
		const second = secondContextFor(first);
		return this.#segmentDecoder.decode(extracted, { first, second });
	}

	async identifyLanguage(
		samples: Float32Array,
		choices: readonly Language[],
		{ open = false }: Pick<SegmentRequest, "open"> = {},
	): Promise<LikeliestLanguage | undefined> {
		const request = { ...identifiedAlone, samples, open };
		const extracted = this.#extractFeatures(request);
		if ("text" in extracted) return undefined;
		// as for its text, which follows (recent-encodings.ts)
		const encoded = await this.#parts.encoder.encode(
			extracted,
			contextFor(secondsOf(request), open),
		);
		try {
			return await this.#segmentDecoder.languages.likeliest(
				choices,
				encoded,
				samples.length > identifiedSamplesMax
					? { startSample: 0, endSample: identifiedSamplesMax }
					: undefined,
			);
		} finally {
			encoded.dispose();
		}
	}

	nextBatch(
		waiting: readonly SegmentRequest[],
		sideBySide: number,
	): SegmentRequest[] {
		return this.#batching.next(waiting, sideBySide);
	}

	recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const all = this.#batchOver.then(() => this.#decodeAll(requests));
		this.#batchOver = all.catch(() => {});
		return all;
	}

	async #decodeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const results = new Map<SegmentRequest, Hypothesis | "cancelled">();
		for (const group of this.#batching.groupsOf(requests)) {
			const speech: SegmentFeatures[] = [];
			for (const request of group) {
				const extracted = this.#extractFeatures(request);
				if ("text" in extracted) results.set(request, extracted);
				else {
					await this.#follow(request);
					speech.push(extracted);
				}
			}
			const found = await this.#groupDecoder.decode(speech);
			speech.forEach(({ request }, i) => {
				results.set(request, found[i] ?? "cancelled");
			});
		}
		return requests.map((request) => results.get(request) ?? "cancelled");
	}

	async #follow(request: SegmentRequest): Promise<void> {
		if (this.#parts.refiner === undefined || request.languageOnly) return;
		const { refiner, onFailure } = this.#parts.refiner;
		const { language, spokenIn } = request;
		const spoken = spokenIn ? [spokenIn] : (pairOf(language) ?? [language]);
		if (!this.#refines(spoken)) return;
		try {
			await refiner.follow(request);
		} catch (error) {
			onFailure?.(error);
		}
	}

	#refines(spoken: readonly Language[]): boolean {
		const known: readonly Language[] =
			this.#parts.refiner?.refiner.languages ?? [];
		return spoken.some((one) => known.includes(one));
	}

	/** @returns an empty hypothesis where the audio cannot be speech. */
	#extractFeatures(request: SegmentRequest): SegmentFeatures | Hypothesis {
		const { samples } = request;
		if (samples.length > contextSecondsMax * sampleRateHz)
			throw new RangeError(`a segment has at most ${contextSecondsMax} s`);
		const features = this.#parts.encoder.features(samples);
		const frames = Math.floor(samples.length / hopSamples);
		const { mels } = this.#parts.decoder.shape;
		const levels = frameLevels(features.subarray(0, frames * mels), mels);
		const silent = whyNotSpeech(levels);
		if (silent !== undefined) return emptyHypothesis(silent);
		return { request, features, frames, swingDb: swingDb(levels), guards: [] };
	}
}
