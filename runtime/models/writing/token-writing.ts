/**
 * Turns tokens with times into readable text, for models that provide the time of every token: punctuation marks, width, spaces and
 * simplified characters by the language's rules; words with times that are aligned to the audio.
 */

import { sampleRateHz } from "../../audio/sample-rate.js";
import { frameSonority } from "../../features/sound.js";
import type { Language } from "../../text/languages.js";
import { markStyleOf } from "../../text/languages.js";
import type { MarkStyle } from "../../text/punctuation.js";
import type { Hypothesis, SegmentRequest } from "../recognizer.js";
import { sentenceCase } from "./letter-case.js";
import { pauseMarks } from "./pause-marks.js";
import { type SegmentSpectrum, spectrumMels } from "./segment-spectrum.js";
import type { SymbolTable } from "./symbol-table.js";
import { splitWords, textOf, writeOut } from "./transcript.js";
import { timeWords } from "./word-times.js";

export interface TimedToken {
	readonly token: number;
	/** From the segment's start. */
	readonly seconds: number;
	/** Natural logarithm of its probability. */
	readonly logp: number;
}

/** Unit of positions in `timeWords`. */
const positionsPerSecond = 50;
/** Maximum duration of the last token. */
const lastSecondsMax = 0.5;

/**
 * @param spectrum called only if words are requested.
 * @param pausesAreKnown false where times are estimates: then no comma is derived from them.
 */
export function writeTokens(
	timedTokens: readonly TimedToken[],
	symbols: SymbolTable,
	request: SegmentRequest,
	spectrum: () => SegmentSpectrum,
	pausesAreKnown = true,
): Hypothesis {
	const tokens = timedTokens.map(({ token }) => token);
	const style = styleOf(symbols, request.language);
	const pieces = symbols.pieces(tokens);
	const seconds = timedTokens.map((it) => it.seconds);
	const marks =
		request.punctuation && isPunctuatedByRule(symbols)
			? pauseMarks(
					{
						pieces,
						seconds: pausesAreKnown ? seconds : [],
						open: request.open ?? false,
					},
					style,
				)
			: [];
	const written = writeOut(pieces, marks, style, request.punctuation);
	const characters =
		symbols.letterCase === "both" || symbols.units === "pinyin"
			? written
			: sentenceCase(written, style, request.punctuation);
	return {
		text: textOf(characters),
		tokens,
		confidence: meanProbability(timedTokens),
		words: request.words
			? timeWords(
					splitWords(characters, style),
					positionsOf(timedTokens, request.samples.length / sampleRateHz),
					frameSonority(spectrum().logMel, spectrumMels),
				).map(({ text, kind, first, last, startSeconds, endSeconds }) => ({
					text,
					kind,
					startSeconds,
					endSeconds,
					confidence: meanProbability(
						timedTokens.slice(first.tokenStart, last.tokenEnd),
					),
				}))
			: [],
		guards: [],
	};
}

/** The model has no marks of its own; syllables get none. */
function isPunctuatedByRule({ hasMarks, units }: SymbolTable): boolean {
	return !hasMarks && units !== "pinyin";
}

/** Pinyin is written like English: words separated by spaces. */
function styleOf({ units }: SymbolTable, language: Language): MarkStyle {
	return units === "pinyin" ? "en" : markStyleOf(language);
}

/** Positions where the tokens begin, and the end of the last. */
function positionsOf(
	timedTokens: readonly TimedToken[],
	seconds: number,
): Float32Array {
	const last = timedTokens.at(-1)?.seconds ?? 0;
	const end = Math.min(seconds, last + lastSecondsMax);
	return Float32Array.from(
		[...timedTokens.map((it) => it.seconds), end],
		(it) => it * positionsPerSecond,
	);
}

function meanProbability(timedTokens: readonly TimedToken[]): number {
	let sum = 0;
	for (const { logp } of timedTokens) sum += Math.exp(logp);
	return timedTokens.length === 0 ? 0 : sum / timedTokens.length;
}
