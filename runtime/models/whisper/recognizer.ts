/**
 * Whisper as a speech recognizer: one segment of speech in, its text, words and confidence out. What happens to a segment, in order: is it sound that
 * can be speech at all; features; encoder over a context fitted to it; beam search; the guards; marks and word times from one more pass; spelling.
 */
import { hopSize, sampleRateHz } from "../../features/log-mel.js";
import {
	frameLevels,
	frameSonority,
	whyNotSpeech,
} from "../../features/sound.js";
import { whyNotSaid } from "../../search/guards.js";
import { compressionRatio, withoutLoop } from "../../search/repetition.js";
import type { InferencePort, Tensor } from "../inference-port.js";
import type { WhisperShape } from "../manifest.js";
import type {
	Hypothesis,
	Language,
	RecognizedWord,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { tokenStarts } from "./alignment.js";
import { calibrated, mean } from "./confidence.js";
import { WhisperDecoder } from "./decoder.js";
import {
	contextFor,
	contextSecondsMax,
	type EncodedSegment,
	WhisperEncoder,
} from "./encoder.js";
import { type ForcedScores, forcedPass } from "./forced-pass.js";
import {
	chooseMarks,
	lacksPunctuation,
	marksAsked,
	type PromptLanguage,
	punctuatedContext,
} from "./punctuator.js";
import { type FoundTokens, SegmentSearch } from "./segment-search.js";
import { type TextPiece, WhisperTokenizer } from "./tokenizer.js";
import {
	splitWords,
	textOf,
	type WrittenCharacter,
	wordStarts,
	writeOut,
} from "./transcript.js";
import { timeWords } from "./word-times.js";

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

/** One prompt language a `lang_type`: Whisper hears English inside Chinese and Japanese. */
const promptLanguage: Readonly<Record<Language, PromptLanguage>> = {
	"ja-JP": "ja",
	"ja-JP-en-US": "ja",
	"zh-cmn-Hans-CN": "zh",
	"zh-cmn-Hans-CN-en-US": "zh",
	"en-US": "en",
};

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

/** A segment on its way through. */
interface Heard {
	readonly request: SegmentRequest;
	readonly language: PromptLanguage;
	readonly features: Float32Array;
	/** Of the features, those that the samples fill. */
	readonly frames: number;
	readonly guards: string[];
}

interface Attempt {
	readonly encoded: EncodedSegment;
	readonly found: FoundTokens;
	readonly repeats: boolean;
}

class WhisperRecognizer implements SpeechRecognizer {
	private readonly search: SegmentSearch;
	private readonly contexts: Readonly<Record<PromptLanguage, number[]>>;
	private readonly marks: Readonly<Record<PromptLanguage, number[]>>;
	private readonly freeBias: Tensor;

	constructor(
		readonly name: string,
		readonly languages: readonly Language[],
		private readonly encoder: WhisperEncoder,
		private readonly decoder: WhisperDecoder,
		private readonly tokenizer: WhisperTokenizer,
		readonly close: () => Promise<void>,
	) {
		this.search = new SegmentSearch(decoder);
		this.freeBias = decoder.biasTensor([]);
		const encoded = (text: string) => tokenizer.encode(text);
		const { zh, ja, en } = punctuatedContext;
		this.contexts = { zh: encoded(zh), ja: encoded(ja), en: encoded(en) };
		const ids = (language: PromptLanguage) =>
			marksAsked[language].flatMap(encoded);
		this.marks = { zh: ids("zh"), ja: ids("ja"), en: ids("en") };
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
	private async hear(heard: Heard): Promise<Hypothesis | "cancelled"> {
		const seconds = heard.request.samples.length / sampleRateHz;
		const context = contextFor(seconds);
		let attempt = await this.attempt(heard, context);
		if (attempt === "cancelled") return attempt;
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
		heard: Heard,
		contextSeconds: number,
	): Promise<Attempt | "cancelled"> {
		const { request, language } = heard;
		const cancelled = request.cancelled ?? (() => false);
		if (cancelled()) return "cancelled";
		const encoded = await this.encoder.encode(heard.features, contextSeconds);
		try {
			const found = await this.search.find({
				cross: encoded.cross,
				languageToken: this.languageToken(language),
				prefix: request.prefixTokens ?? [],
				beam: request.beam,
				seconds: request.samples.length / sampleRateHz,
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
			return { encoded, found, repeats };
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	/** The guards' verdict on what was found, and the text as it is written. */
	private async conclude(
		heard: Heard,
		{ encoded, found, repeats }: Attempt,
	): Promise<Hypothesis | "cancelled"> {
		const { request, guards } = heard;
		const tokens = withoutLoop(found.tokens);
		const verdict = whyNotSaid({
			text: this.tokenizer.decode(tokens),
			noSpeech: found.noSpeech,
			meanLogp: mean(found.logp),
			repeats,
		});
		if (verdict !== undefined) return nothing([...guards, verdict]);
		if (tokens.length < found.tokens.length) guards.push("repetition: cut");
		if (request.cancelled?.()) return "cancelled";
		const pieces = this.tokenizer.pieces(tokens);
		const forced = await this.force(heard, encoded, tokens, pieces);
		const characters = this.write(heard, pieces, forced);
		return {
			text: textOf(characters),
			tokens,
			confidence: confidenceOf(found.logp),
			words: request.words
				? this.words(heard, encoded, characters, found, forced)
				: [],
			guards,
		};
	}

	/** The pass over the found text, if anything is to be learned from it. */
	private async force(
		heard: Heard,
		encoded: EncodedSegment,
		tokens: readonly number[],
		pieces: readonly TextPiece[],
	): Promise<ForcedScores | undefined> {
		const { request, language } = heard;
		if (tokens.length === 0) return undefined;
		const text = pieces.map((piece) => piece.text).join("");
		const marks = request.punctuation && lacksPunctuation(text, language);
		if (!marks && !request.words) return undefined;
		return forcedPass(this.decoder, {
			cross: encoded.cross,
			context: marks ? this.contexts[language] : [],
			languageToken: this.languageToken(language),
			tokens,
			ids: marks ? this.marks[language] : [],
			alignment: request.words,
			bias: this.freeBias,
		});
	}

	private write(
		{ request, language }: Heard,
		pieces: readonly TextPiece[],
		forced: ForcedScores | undefined,
	): WrittenCharacter[] {
		const marks =
			forced === undefined || forced.logp.length === 0
				? []
				: chooseMarks(pieces, forced, wordStarts(pieces, language), language);
		return writeOut(pieces, marks, language, request.punctuation);
	}

	private words(
		heard: Heard,
		encoded: EncodedSegment,
		characters: readonly WrittenCharacter[],
		found: FoundTokens,
		forced: ForcedScores | undefined,
	): RecognizedWord[] {
		if (forced === undefined) return [];
		const { language, request } = heard;
		const { mels } = this.decoder.shape;
		const sonority = frameSonority(
			heard.features.subarray(0, heard.frames * mels),
			mels,
		);
		const starts = tokenStarts(forced.attention, {
			heads: this.decoder.shape.alignmentHeads,
			rows: forced.rows,
			positions: encoded.positions,
			rowStart: forced.rowStart,
			rowEnd: forced.rows,
			positionsHeard: Math.min(encoded.positions, Math.ceil(heard.frames / 2)),
		});
		const meanLogp = mean(found.logp);
		const settled = request.prefixTokens?.length ?? 0;
		return timeWords(splitWords(characters, language), starts, sonority).map(
			({ text, kind, first, last, startSeconds, endSeconds }) => {
				const logp = found.logp.slice(
					Math.max(0, first.tokenStart - settled),
					Math.max(0, last.tokenEnd - settled),
				);
				const confidence = wordConfidence(logp, meanLogp);
				return { text, startSeconds, endSeconds, kind, confidence };
			},
		);
	}

	private languageToken(language: PromptLanguage): number {
		const token = this.decoder.shape.languageTokens[language];
		if (token === undefined)
			throw new Error(`the model has no language ${language}`);
		return token;
	}
}

function nothing(guards: readonly string[]): Hypothesis {
	return { text: "", tokens: [], confidence: 0, words: [], guards };
}

/** Mean over the text's tokens; the end token's is no word's. */
function confidenceOf(logp: readonly number[]): number {
	const meanLogp = mean(logp);
	return mean(logp.slice(0, -1).map((one) => calibrated(one, meanLogp)));
}

/** Tokens settled before this search have no probability of their own here: the segment's mean stands in. */
function wordConfidence(logp: readonly number[], meanLogp: number): number {
	if (logp.length === 0) return calibrated(meanLogp, meanLogp);
	return mean(logp.map((one) => calibrated(one, meanLogp)));
}
