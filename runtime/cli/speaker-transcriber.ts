/**
 * A file with its speakers, as a task for it would have it: heard, its voices told apart, its sentences divided where the voice changes. In this process,
 * with nothing kept.
 */

import type { FileWorkers, JobEvent } from "../engine/child/file-jobs.js";
import { joinTexts } from "../session/join-text.js";
import { defaultSwitches } from "../session/options.js";
import type { FileOptions } from "../tasks/file-options.js";
import { composeResult } from "../tasks/result/compose.js";
import type { FileUtterance } from "../tasks/result/parts.js";
import type { ResultSegment, ResultWord } from "../tasks/result/result.js";
import { diarizationJobOf, recognitionJobOf } from "../tasks/wanted-jobs.js";
import { freshWork } from "../tasks/work.js";
import type { Language } from "../text/languages.js";
import type { AudioFile } from "./audio-file.js";
import type { TranscribeOptions } from "./file-transcriber.js";

export interface SpeakerTranscript {
	readonly file: AudioFile;
	readonly segments: readonly ResultSegment[];
}

const times = { insert_time: "", process_time: "", finish_time: "" };

/** @param speakers voices; 0: as many as there are. @throws CodedError */
export async function transcribeSpeakers(
	workers: FileWorkers,
	file: AudioFile,
	options: TranscribeOptions,
	speakers: number,
): Promise<SpeakerTranscript> {
	const wanted = fileOptions(file, options, speakers);
	const { hotwords } = options;
	const hearing = recognitionJobOf(
		file.path,
		wanted,
		hotwords ? { hotwords } : {},
		freshWork(1),
	);
	const utterances: FileUtterance[] = [];
	// lists of words are not sent anywhere: they are here
	const {
		hotwords: _,
		corrections: __,
		forbidden: ___,
		...sent
	} = hearing.options;
	const heard = await eventsOf((home) =>
		workers.recognize({ ...hearing, options: sent }, hearing.options, home),
	);
	for (const it of heard)
		if (it.is === "heard") utterances.push(...it.utterances);
	const job = diarizationJobOf(file.path, wanted, utterances);
	const told = await eventsOf((home) => workers.diarize(job, home));
	const segments: ResultSegment[] = [];
	for await (const piece of composeResult({
		options: wanted,
		channels: [utterances],
		turns: told.flatMap((it) => (it.is === "voices" ? it.turns : [])),
		times,
		keywords: { find: async () => [] },
	}))
		if (piece.is === "segments") segments.push(...piece.segments);
	return { file, segments };
}

async function eventsOf(
	work: (home: {
		emit(event: JobEvent): void;
		signal: AbortSignal;
	}) => Promise<unknown>,
): Promise<JobEvent[]> {
	const news: JobEvent[] = [];
	const { signal } = new AbortController();
	await work({ emit: (it) => news.push(it), signal });
	return news;
}

function fileOptions(
	file: AudioFile,
	options: TranscribeOptions,
	clusters: number,
): FileOptions {
	const { language, sampleRateHz, punctuation, words, hotwords } = options;
	return {
		variant: "standard",
		language,
		format: file.format,
		sampleRateHz,
		channels: 1,
		gain: 1,
		output: "text",
		maxSentenceSilenceMs: 800,
		...defaultSwitches,
		punctuation,
		words,
		wordsType: 0,
		clusters,
		keywordsQuantity: 0,
		langLabel: false,
		hotwordsWeight: hotwords?.weight ?? 0.4,
	};
}

/** A line for each time that somebody begins to speak. */
export function speakersAsText(
	{ file, segments }: SpeakerTranscript,
	named: boolean,
	language: Language,
): string {
	const lines: { speaker: number | undefined; texts: string[] }[] = [];
	for (const { cluster_id: speaker, transcript } of segments) {
		const last = lines.at(-1);
		if (last && last.speaker === speaker) last.texts.push(transcript);
		else lines.push({ speaker, texts: [transcript] });
	}
	return lines
		.map(({ speaker, texts }) => {
			const line = `${speaker ?? "-"}: ${joinTexts(texts, language)}`;
			return named ? `${file.path}: ${line}` : line;
		})
		.join("\n");
}

export function speakersAsJson(
	{ file, segments }: SpeakerTranscript,
	{ language, words }: TranscribeOptions,
): object {
	return {
		file: file.path,
		language,
		segments: segments.map((it) => ({
			index: it.seg_num,
			speaker: it.cluster_id,
			begin_ms: milliseconds(it.begin),
			end_ms: milliseconds(it.end),
			text: it.transcript,
			confidence: it.confidence,
			...(words && { words: (it.words ?? []).map(wordJson) }),
		})),
	};
}

function wordJson({ word, start_time, end_time, type }: ResultWord): object {
	return { word, start_ms: start_time, end_ms: end_time, type };
}

/** @param code `hh:mm:ss,mmm` */
function milliseconds(code: string): number {
	const [hours = 0, minutes = 0, seconds = 0, rest = 0] = code
		.split(/[:,]/)
		.map(Number);
	return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest;
}
