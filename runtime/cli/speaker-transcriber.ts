/**
 * Transcribes a file with its speakers, as a task would: recognition, diarization, sentences split where the speaker changes. It runs in this process and
 * stores nothing.
 */

import type { FileWorkers, JobEvent } from "../engine/child/file-jobs.js";
import { CodedError } from "../errors.js";
import { joinTexts } from "../session/join-text.js";
import type { FileUtterance } from "../tasks/result/parts.js";
import type { ResultSegment, ResultWord } from "../tasks/result/result.js";
import { segmentsOf } from "../tasks/result/speech-segments.js";
import { timeCodeMs } from "../tasks/result/time-code.js";
import { diarizationJobOf, recognitionJobOf } from "../tasks/wanted-jobs.js";
import { freshWork } from "../tasks/work.js";
import type { Language } from "../text/languages.js";
import type { AudioFile } from "./audio-file.js";
import { transcribeTaskOptions } from "./file-options.js";
import {
	durationSecondsMax,
	type TranscribeOptions,
} from "./file-transcriber.js";

export interface SpeakerTranscript {
	readonly file: AudioFile;
	readonly segments: readonly ResultSegment[];
	/** Why nobody could be told apart; the text is there nevertheless. */
	readonly missing?: string;
}

/** @param speakers their number; 0: detected. @throws CodedError */
export async function transcribeSpeakers(
	workers: FileWorkers,
	file: AudioFile,
	options: TranscribeOptions,
	speakers: number,
): Promise<SpeakerTranscript> {
	const wanted = transcribeTaskOptions(file, options, speakers);
	const { hotwords } = options;
	// the limits of tasks are those of a device that others use as well
	const recognition = recognitionJobOf(
		file.path,
		wanted,
		hotwords ? { hotwords } : {},
		freshWork(1),
		durationSecondsMax,
	);
	const utterances: FileUtterance[] = [];
	// word lists are passed directly, without a process boundary
	const {
		hotwords: _,
		corrections: __,
		forbidden: ___,
		...sent
	} = recognition.options;
	const recognized = await eventsOf((output) =>
		workers.recognize(
			{ ...recognition, options: sent },
			recognition.options,
			output,
		),
	);
	for (const event of recognized)
		if (event.is === "heard") utterances.push(...event.utterances);
	const job = diarizationJobOf(
		file.path,
		wanted,
		utterances,
		durationSecondsMax,
	);
	let missing: string | undefined;
	const diarized = await eventsOf((output) =>
		workers.diarize(job, output),
	).catch((error: unknown) => {
		if (!(error instanceof CodedError)) throw error;
		missing = error.message;
		return [];
	});
	const segments = await segmentsOf(
		missing === undefined ? wanted : transcribeTaskOptions(file, options),
		{
			channels: [utterances],
			turns: diarized.flatMap((it) => (it.is === "voices" ? it.turns : [])),
		},
	);
	return { file, segments, ...(missing !== undefined && { missing }) };
}

async function eventsOf(
	work: (output: {
		emit(event: JobEvent): void;
		signal: AbortSignal;
	}) => Promise<unknown>,
): Promise<JobEvent[]> {
	const events: JobEvent[] = [];
	const { signal } = new AbortController();
	await work({ emit: (event) => events.push(event), signal });
	return events;
}

/** A line for each change of speaker. */
export function speakersAsText(
	{ file, segments }: SpeakerTranscript,
	named: boolean,
	language: Language,
): string {
	const lines: { speaker: number | undefined; texts: string[] }[] = [];
	for (const { cluster_id: speaker, transcript } of segments) {
		if (transcript === "") continue; // not understood
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
			begin_ms: timeCodeMs(it.begin),
			end_ms: timeCodeMs(it.end),
			text: it.transcript,
			...(it.understood === false && { understood: false }),
			confidence: it.confidence,
			...(words && { words: (it.words ?? []).map(wordJson) }),
		})),
	};
}

function wordJson({ word, start_time, end_time, type }: ResultWord): object {
	return { word, start_ms: start_time, end_ms: end_time, type };
}
