/**
 * Turns the tokens that a search found into readable text: missing punctuation marks, spelling, words with times, confidence.
 * Where marks or times are needed, one more pass of the decoder over the text provides both.
 */
import { frameSonority } from "../../features/sound.js";
import type { Tensor } from "../inference-port.js";
import type { Hypothesis, RecognizedWord } from "../recognizer.js";
import type { TextPiece } from "../writing/transcript.js";
import {
	splitWords,
	textOf,
	type WrittenCharacter,
	wordStarts,
	writeOut,
} from "../writing/transcript.js";
import { timeWords } from "../writing/word-times.js";
import { tokenStarts } from "./alignment.js";
import { calibrated, mean } from "./confidence.js";
import type { WhisperDecoder } from "./decoder.js";
import type { EncodedSegment } from "./encoded-segment.js";
import { type ForcedScores, forcedPass } from "./forced-pass.js";
import {
	chooseMarks,
	lacksPunctuation,
	markPlaces,
	prompted,
} from "./punctuator.js";
import { type IdentifiedSegment, promptFor } from "./segment-features.js";
import type { FoundTokens } from "./segment-search.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** What the confidence of a written text follows from. */
interface WrittenScores {
	/** Log-probability of each written token after the settled ones. */
	readonly logp: readonly number[];
	/** Of the segment. */
	readonly meanLogp: number;
}

export class HypothesisWriter {
	readonly #decoder: WhisperDecoder;
	readonly #tokenizer: WhisperTokenizer;
	/** By language: context tokens before a text, and the tokens of its punctuation marks. */
	readonly #prompts = new Map<
		string,
		{ readonly context: number[]; readonly marks: number[] }
	>();
	readonly #freeBias: Tensor;

	constructor(decoder: WhisperDecoder, tokenizer: WhisperTokenizer) {
		this.#decoder = decoder;
		this.#tokenizer = tokenizer;
		this.#freeBias = decoder.biasTensor([]);
		for (const [code, { context, marks }] of Object.entries(prompted))
			this.#prompts.set(code, {
				context: tokenizer.encode(context),
				marks: marks.flatMap((mark) => tokenizer.encode(mark)),
			});
	}

	/** @param tokens the part of `found.tokens` to write. */
	async write(
		segment: IdentifiedSegment,
		encoded: EncodedSegment,
		found: FoundTokens,
		tokens: readonly number[],
	): Promise<Pick<Hypothesis, "text" | "confidence" | "words">> {
		const pieces = this.#tokenizer.pieces(tokens);
		const places = this.#placesWithoutMark(segment, pieces);
		const forced = await this.#force(segment, encoded, tokens, pieces, places);
		const characters = this.#spell(segment, pieces, places, forced);
		const settled = segment.request.prefixTokens?.length ?? 0;
		const scores = scoresOf(found, tokens, settled);
		return {
			text: textOf(characters),
			confidence: confidenceOf(scores),
			words: segment.request.words
				? this.#words(segment, encoded, characters, scores, forced)
				: [],
		};
	}

	/** Places where a punctuation mark may be missing. */
	#placesWithoutMark(
		{ request, language }: IdentifiedSegment,
		pieces: readonly TextPiece[],
	): readonly number[] {
		const text = pieces.map((piece) => piece.text).join("");
		if (!request.punctuation || !lacksPunctuation(text, language)) return [];
		return markPlaces(pieces, wordStarts(pieces, prompted[language].style));
	}

	/** The pass over the found text, if marks or word times need it. */
	async #force(
		segment: IdentifiedSegment,
		encoded: EncodedSegment,
		tokens: readonly number[],
		pieces: readonly TextPiece[],
		places: readonly number[],
	): Promise<ForcedScores | undefined> {
		const { request, language } = segment;
		if (tokens.length === 0) return undefined;
		const marks = places.length > 0;
		if (!marks && !request.words) return undefined;
		const prompt = this.#prompts.get(language);
		return forcedPass(this.#decoder, {
			cross: encoded.cross,
			context: (marks && prompt?.context) || [],
			prompt: promptFor(this.#decoder.shape, segment),
			tokens,
			requested: places.map((it) => pieces[it]?.tokenStart ?? tokens.length),
			ids: prompt?.marks ?? [],
			alignment: request.words,
			bias: this.#freeBias,
		});
	}

	#spell(
		{ request, language }: IdentifiedSegment,
		pieces: readonly TextPiece[],
		places: readonly number[],
		forced: ForcedScores | undefined,
	): WrittenCharacter[] {
		const marks = forced ? chooseMarks(pieces, places, forced, language) : [];
		const { style } = prompted[language];
		return writeOut(pieces, marks, style, request.punctuation);
	}

	#words(
		segment: IdentifiedSegment,
		encoded: EncodedSegment,
		characters: readonly WrittenCharacter[],
		scores: WrittenScores,
		forced: ForcedScores | undefined,
	): RecognizedWord[] {
		if (forced === undefined) return [];
		const { language, request } = segment;
		const { mels } = this.#decoder.shape;
		const sonority = frameSonority(
			segment.features.subarray(0, segment.frames * mels),
			mels,
		);
		const starts = tokenStarts(forced.attention, {
			heads: this.#decoder.shape.alignmentHeads,
			rows: forced.rows,
			positions: encoded.positions,
			rowStart: forced.rowStart,
			rowEnd: forced.rows,
			positionsUsed: Math.min(encoded.positions, Math.ceil(segment.frames / 2)),
		});
		const settled = request.prefixTokens?.length ?? 0;
		const { style } = prompted[language];
		return timeWords(splitWords(characters, style), starts, sonority).map(
			({ text, kind, first, last, startSeconds, endSeconds }) => {
				const logp = scores.logp.slice(
					Math.max(0, first.tokenStart - settled),
					Math.max(0, last.tokenEnd - settled),
				);
				const confidence = wordConfidence(logp, scores.meanLogp);
				return { text, startSeconds, endSeconds, kind, confidence };
			},
		);
	}
}

/** Repetitions that were cut off do not count: each is likelier than the one before, so that they would make any text certain. */
function scoresOf(
	found: FoundTokens,
	tokens: readonly number[],
	settled: number,
): WrittenScores {
	const isCut = tokens.length < found.tokens.length;
	const logp = found.logp.slice(0, Math.max(0, tokens.length - settled));
	if (isCut) return { logp, meanLogp: mean(logp) };
	return { logp, meanLogp: found.meanLogp ?? mean(found.logp) };
}

/** Mean over the text's tokens, without the end token. */
function confidenceOf({ logp, meanLogp }: WrittenScores): number {
	return mean(logp.map((one) => calibrated(one, meanLogp)));
}

/** Tokens settled before this search have no probability here; the segment's mean is used instead. */
function wordConfidence(logp: readonly number[], meanLogp: number): number {
	if (logp.length === 0) return calibrated(meanLogp, meanLogp);
	return mean(logp.map((one) => calibrated(one, meanLogp)));
}
