/** The answer of a transcription in each format (docs/openai.md). Long ones are written piece by piece. */
import { deflateSync } from "node:zlib";
import { contentTypes } from "../../tasks/result/formats/formats.js";
import { writeSrt } from "../../tasks/result/formats/srt.js";
import { writeVtt } from "../../tasks/result/formats/vtt.js";
import type { ResultSegment } from "../../tasks/result/result.js";
import { timeCodeMs } from "../../tasks/result/time-code.js";
import { isChinese, isJapanese, type Language } from "../../text/languages.js";
import {
	type TimedWord,
	type Transcription,
	textOf,
	timedWordsOf,
} from "./transcription.js";
import type {
	ResponseFormat,
	TranscriptionRequest,
} from "./transcription-request.js";

/** The logarithm of a confidence must be a finite number. */
const confidenceMin = 1e-6;

export const answerTypes: Readonly<Record<ResponseFormat, string>> = {
	json: "application/json; charset=utf-8",
	verbose_json: "application/json; charset=utf-8",
	diarized_json: "application/json; charset=utf-8",
	text: "text/plain; charset=utf-8",
	srt: contentTypes.srt,
	vtt: contentTypes.vtt,
};

export function writeAnswer(
	request: Pick<
		TranscriptionRequest,
		"format" | "words" | "logprobs" | "translates"
	>,
	transcription: Transcription,
): Iterable<string> {
	switch (request.format) {
		case "json":
			return [JSON.stringify(plain(request, transcription))];
		case "text":
			return [`${textOf(transcription)}\n`];
		case "srt":
			return writeSrt(transcription.segments());
		case "vtt":
			return writeVtt(transcription.segments());
		case "verbose_json":
			return writeVerbose(request, transcription);
		case "diarized_json":
			return writeDiarized(transcription);
	}
}

function plain(
	{ logprobs }: Pick<TranscriptionRequest, "logprobs">,
	transcription: Transcription,
) {
	return {
		text: textOf(transcription),
		...(logprobs && { logprobs: logprobsOf(timedWordsOf(transcription)) }),
		...languagesOf(transcription),
		usage: usageOf(transcription),
	};
}

/** For each word: the natural logarithm of its confidence. */
export function logprobsOf(words: readonly TimedWord[]) {
	return words
		.filter(({ kind }) => kind !== "punc")
		.map(({ text, confidence }) => ({
			token: text,
			logprob: logOf(confidence),
			bytes: [...Buffer.from(text)],
		}));
}

/** `languages`, where the recognizer identified it. */
export function languagesOf({ isIdentified, language }: Transcription) {
	return isIdentified ? { languages: [{ code: codeOf(language) }] } : {};
}

/** Whole seconds, begun ones included: what OpenAI's own service writes, and LiteLLM refuses others. */
function usageOf({ audioMs }: Transcription) {
	return { type: "duration", seconds: Math.ceil(audioMs / 1000) };
}

function* writeVerbose(
	{ words, translates }: Pick<TranscriptionRequest, "words" | "translates">,
	transcription: Transcription,
): Generator<string> {
	const { language, audioMs } = transcription;
	yield opened({
		task: translates ? "translate" : "transcribe",
		language: nameOf(language),
		duration: audioMs / 1000,
		text: textOf(transcription),
	});
	yield* listed("segments", transcription.segments(), verboseSegment);
	if (words)
		yield* listed("words", wordsOf(transcription.segments()), (it) => it);
	yield closed({
		...languagesOf(transcription),
		usage: usageOf(transcription),
	});
}

function verboseSegment(segment: ResultSegment, index: number) {
	const { start, end } = timesOf(segment);
	const text = segment.transcript;
	return {
		id: index,
		seek: Math.round(start * 100),
		start,
		end,
		text,
		tokens: [],
		temperature: 0,
		avg_logprob: logOf(segment.confidence),
		compression_ratio: compressionOf(text),
		no_speech_prob: 0,
	};
}

function* wordsOf(segments: Iterable<ResultSegment>) {
	for (const { words = [] } of segments)
		for (const { word, start_time, end_time, is_punc } of words)
			if (!is_punc)
				yield { word, start: start_time / 1000, end: end_time / 1000 };
}

function* writeDiarized(transcription: Transcription): Generator<string> {
	yield opened({
		task: "transcribe",
		duration: transcription.audioMs / 1000,
		text: textOf(transcription),
	});
	yield* listed("segments", transcription.segments(), diarizedSegment);
	yield closed({ usage: usageOf(transcription) });
}

export function diarizedSegment(segment: ResultSegment, index: number) {
	return {
		type: "transcript.text.segment",
		id: `seg_${index + 1}`,
		...timesOf(segment),
		speaker: speakerLetters(segment.cluster_id ?? 1),
		text: segment.transcript,
	};
}

/** A, B, ... Z, AA. @param number from 1, in the order of appearance. */
function speakerLetters(number: number): string {
	const last = String.fromCharCode(65 + ((number - 1) % 26));
	const before = Math.floor((number - 1) / 26);
	return before > 0 ? speakerLetters(before) + last : last;
}

function timesOf({ begin, end }: ResultSegment) {
	return { start: timeCodeMs(begin) / 1000, end: timeCodeMs(end) / 1000 };
}

function opened(members: object): string {
	return JSON.stringify(members).slice(0, -1);
}

function* listed<T>(
	name: string,
	items: Iterable<T>,
	write: (item: T, index: number) => unknown,
): Generator<string> {
	yield `,"${name}":[`;
	let index = 0;
	for (const item of items) {
		yield (index === 0 ? "" : ",") + JSON.stringify(write(item, index));
		index++;
	}
	yield "]";
}

function closed(members: object): string {
	return `,${JSON.stringify(members).slice(1)}`;
}

function logOf(confidence: number): number {
	return Math.log(Math.max(confidenceMin, Math.min(1, confidence)));
}

/** As Whisper measures it: bytes of the text for each byte of the compressed text. */
function compressionOf(text: string): number {
	const bytes = Buffer.from(text);
	return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length;
}

/** Mixed speech counts as its eastern language. */
function nameOf(language: Language): string {
	if (isJapanese(language)) return "japanese";
	return isChinese(language) ? "chinese" : "english";
}

/** Mixed speech counts as its eastern language. */
export function codeOf(language: Language): string {
	if (isJapanese(language)) return "ja";
	return isChinese(language) ? "zh" : "en";
}
