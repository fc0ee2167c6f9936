/**
 * Whisper as a speech recognizer: one segment of speech in, its text, words and confidence out. What happens to a segment, in order: is it sound that
 * can be speech at all; features; encoder over a context fitted to it; beam search; the guards; and what was found is written (segment-writer.ts).
 */
import { hopSize, sampleRateHz } from "../../features/log-mel.js";
import { frameLevels, whyNotSpeech } from "../../features/sound.js";
import { whyNotSaid } from "../../search/guards.js";
import { compressionRatio, withoutLoop } from "../../search/repetition.js";
import type { InferencePort } from "../inference-port.js";
import type { WhisperShape } from "../manifest.js";
import type {
	HotwordOptions,
	Hypothesis,
	Language,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { mean } from "./confidence.js";
import { WhisperDecoder } from "./decoder.js";
import {
	contextFor,
	contextSecondsMax,
	type EncodedSegment,
	WhisperEncoder,
} from "./encoder.js";
import {
	type HeardSegment,
	languageTokenOf,
	promptLanguage,
} from "./heard-segment.js";
import { HotwordBiases } from "./hotword-bias.js";
import { type FoundTokens, SegmentSearch } from "./segment-search.js";
import { SegmentWriter } from "./segment-writer.js";
import { type Heard, SoundRepair } from "./sound-repair.js";
import { WhisperTokenizer } from "./tokenizer.js";

/** What a package of kind `whisper` gives a recognizer. */
export interface WhisperPackage {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: WhisperShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	/** Contents of the tokenizer's file: lines of `<base64> <rank>`. */
	readonly ranks: string;
}

export interface WhisperOptions {
	/** Threads inside one operator; 0: as many as there are cores. */
	readonly threads: number;
}

/** Whisper's own bound: more repeats itself. */
const compressionRatioMax = 2.4;

export async function openWhisper(
	port: InferencePort,
	source: WhisperPackage,
	options: WhisperOptions,
): Promise<SpeechRecognizer> {
	const encoder = await port.open(source.encoderPath, options);
	const decoder = await port.open(source.decoderPath, options);
	const { name, languages, shape } = source;
	return new WhisperRecognizer(
		name,
		languages,
		new WhisperEncoder(port, encoder, shape),
		new WhisperDecoder(port, decoder, shape),
		new WhisperTokenizer(source.ranks),
		async () => {
			await encoder.close();
			await decoder.close();
		},
	);
}

interface Attempt {
	readonly encoded: EncodedSegment;
	readonly found: FoundTokens;
	readonly repeats: boolean;
}

class WhisperRecognizer implements SpeechRecognizer {
	private readonly search: SegmentSearch;
	private readonly biases: HotwordBiases;
	private readonly repair: SoundRepair;
	private readonly writer: SegmentWriter;

	constructor(
		readonly name: string,
		readonly languages: readonly Language[],
		private readonly encoder: WhisperEncoder,
		private readonly decoder: WhisperDecoder,
		private readonly tokenizer: WhisperTokenizer,
		readonly close: () => Promise<void>,
	) {
		this.search = new SegmentSearch(decoder);
		this.biases = new HotwordBiases(tokenizer, decoder.shape);
		this.repair = new SoundRepair(decoder, tokenizer);
		this.writer = new SegmentWriter(decoder, tokenizer);
	}

	preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		return this.biases.preparing(hotwords, promptLanguage[language]);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const { samples } = request;
		if (samples.length > contextSecondsMax * sampleRateHz)
			throw new RangeError(`a segment has at most ${contextSecondsMax} s`);
		const features = this.encoder.features(samples);
		const frames = Math.floor(samples.length / hopSize);
		const { mels } = this.decoder.shape;
		const levels = frameLevels(features.subarray(0, frames * mels), mels);
		const silent = whyNotSpeech(levels);
		if (silent !== undefined) return nothing([silent]);
		return this.hear({
			request,
			language: promptLanguage[request.language],
			features,
			frames,
			guards: [],
		});
	}

	/** Attempts, the second one only when the first went in circles. */
	private async hear(heard: HeardSegment): Promise<Hypothesis | "cancelled"> {
		const seconds = heard.request.samples.length / sampleRateHz;
		const { open = false } = heard.request;
		const context = contextFor(seconds, open);
		let attempt = await this.attempt(heard, context);
		if (attempt === "cancelled") return attempt;
		if (attempt.repeats && open) {
			// more of it is heard soon: sooner than a second attempt would be done
			attempt.encoded.dispose();
			return nothing(["repetition: more is waited for"]);
		}
		if (attempt.repeats && context < contextSecondsMax) {
			heard.guards.push("repetition: heard again with the full context");
			attempt.encoded.dispose();
			attempt = await this.attempt(heard, contextSecondsMax);
			if (attempt === "cancelled") return attempt;
		}
		try {
			return await this.conclude(heard, attempt);
		} finally {
			attempt.encoded.dispose();
		}
	}

	private async attempt(
		heard: HeardSegment,
		contextSeconds: number,
	): Promise<Attempt | "cancelled"> {
		const { request, language } = heard;
		const cancelled = request.cancelled ?? (() => false);
		if (cancelled()) return "cancelled";
		const encoded = await this.encoder.encode(heard.features, contextSeconds);
		try {
			const prefix = request.prefixTokens ?? [];
			const languageToken = languageTokenOf(this.decoder.shape, language);
			const found = await this.search.find({
				cross: encoded.cross,
				languageToken,
				prefix,
				beam: request.beam,
				seconds: request.samples.length / sampleRateHz,
				biasing:
					request.hotwords &&
					this.biases.biasFor(request.hotwords, language, prefix),
				cancelled,
			});
			if (found === "cancelled") {
				encoded.dispose();
				return found;
			}
			const repeats =
				found.why === "loop" ||
				compressionRatio(this.tokenizer.decode(found.tokens)) >
					compressionRatioMax;
			const { cross } = encoded;
			const settled = prefix.length;
			return {
				encoded,
				found: repeats
					? found
					: await this.correct(heard, found, { cross, languageToken, settled }),
				repeats,
			};
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	/** Hotwords that only their sound gives away, and the spelling of those that were heard. */
	private async correct(
		{ request: { hotwords }, language }: HeardSegment,
		found: FoundTokens,
		heard: Heard,
	): Promise<FoundTokens> {
		if (hotwords === undefined || found.why !== "end") return found;
		const sounds = this.biases.soundsFor(hotwords, language);
		const repaired = sounds
			? await this.repair.repair(found, heard, sounds)
			: found;
		return this.biases
			.spellingFor(hotwords, language)
			.respell(repaired, heard.settled, this.tokenizer);
	}

	/** The guards' verdict on what was found, and the text as it is written. */
	private async conclude(
		heard: HeardSegment,
		{ encoded, found, repeats }: Attempt,
	): Promise<Hypothesis | "cancelled"> {
		const { request, guards } = heard;
		const tokens = withoutLoop(found.tokens);
		const verdict = whyNotSaid({
			text: this.tokenizer.decode(tokens),
			noSpeech: found.noSpeech,
			meanLogp: mean(found.logp),
			repeats,
			open: request.open ?? false,
		});
		if (verdict !== undefined) return nothing([...guards, verdict]);
		if (tokens.length < found.tokens.length) guards.push("repetition: cut");
		if (request.cancelled?.()) return "cancelled";
		const written = await this.writer.write(heard, encoded, found, tokens);
		return { ...written, tokens, guards };
	}
}

function nothing(guards: readonly string[]): Hypothesis {
	return { text: "", tokens: [], confidence: 0, words: [], guards };
}
