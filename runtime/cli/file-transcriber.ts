/** Transcribes one file after the other through an engine core; the transcript is text or JSON. */

import { createReadStream } from "node:fs";
import type { EngineCore } from "../engine/child/engine-core.js";
import { audioBytesMax, creditBytes } from "../engine/protocol.js";
import type { HotwordOptions } from "../models/recognizer.js";
import type { SessionEvent, Utterance, Word } from "../session/events.js";
import {
	defaultSwitches,
	sentenceSilenceMsDefault,
} from "../session/options.js";
import { probability } from "../session/probability.js";
import { resultRecognitionOptions } from "../tasks/result/parts.js";
import type { Language } from "../text/languages.js";
import type { AudioFile } from "./audio-file.js";
import type { SubtitleFormat } from "./subtitles.js";

export interface TranscribeOptions {
	readonly language: Language;
	/** Of raw PCM. */
	readonly sampleRateHz: number;
	readonly words: boolean;
	readonly punctuation: boolean;
	/** Instead of sentences. */
	readonly subtitles?: SubtitleFormat;
	readonly hotwords?: HotwordOptions;
}

export interface FileTranscript {
	readonly file: AudioFile;
	readonly language: Language;
	readonly utterances: readonly Utterance[];
	readonly whole: Extract<SessionEvent, { is: "completed" }>;
}

/** A day: a longer file is not a recording. */
export const durationSecondsMax = 86_400;

export class FileTranscriber {
	readonly #core: EngineCore;

	constructor(core: EngineCore) {
		this.#core = core;
	}

	/** @param onUsed gets the number of bytes recognized since its last call. @throws CodedError */
	transcribe(
		file: AudioFile,
		options: TranscribeOptions,
		onUsed: (bytes: number) => void,
	): Promise<FileTranscript> {
		const source = createReadStream(file.path, {
			highWaterMark: audioBytesMax,
		});
		const utterances: Utterance[] = [];
		let unusedBytes = 0;
		return new Promise((resolve, reject) => {
			const recognition = this.#core.open(recognitionOptions(file, options), {
				onEvent: (event) => {
					if (event.is === "final") utterances.push(event.utterance);
					if (event.is !== "completed") return;
					const { language } = options;
					resolve({ file, language, utterances, whole: event });
				},
				onFailed: reject,
				onUsed: (bytes) => {
					unusedBytes -= bytes;
					onUsed(bytes);
					if (unusedBytes < creditBytes) source.resume();
				},
				onEnded: () => source.destroy(),
			});
			source.on("data", (chunk) => {
				unusedBytes += chunk.length;
				if (unusedBytes >= creditBytes) source.pause();
				recognition.push(chunk as Buffer);
			});
			source.on("end", () => recognition.finish());
			source.on("error", (error) => recognition.fail(error));
		});
	}
}

export function asText(transcript: FileTranscript, named: boolean): string {
	const { text } = transcript.whole;
	return named ? `${transcript.file.path}: ${text}` : text;
}

export function asJson(transcript: FileTranscript, words: boolean): object {
	const { file, language, whole } = transcript;
	return {
		file: file.path,
		language,
		audio_ms: whole.audioMs,
		text: whole.text,
		confidence: probability(whole.confidence),
		segments: transcript.utterances.map((it) => segmentJson(it, words)),
	};
}

function segmentJson(utterance: Utterance, words: boolean): object {
	return {
		index: utterance.index,
		begin_ms: utterance.beginMs,
		end_ms: utterance.endMs,
		text: utterance.text,
		confidence: probability(utterance.confidence),
		...(words && { words: utterance.words.map(wordJson) }),
	};
}

function wordJson(word: Word): object {
	return {
		word: word.text,
		start_ms: word.startMs,
		end_ms: word.endMs,
		type: word.kind,
		confidence: probability(word.confidence),
	};
}

function recognitionOptions(file: AudioFile, options: TranscribeOptions) {
	return {
		...defaultSwitches,
		...options,
		...(options.subtitles !== undefined && resultRecognitionOptions),
		format: file.format,
		gain: 1,
		durationSecondsMax,
		// the text is that of a short recognition
		oneText: true,
		maxSentenceSilenceMs: sentenceSilenceMsDefault,
		partials: false,
	};
}
