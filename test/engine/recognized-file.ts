/** A file in an engine, with scripted speech (session/rehearsal): the file, its decoding, the segmenter and the job are real. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import {
	type PooledRecognizer,
	RecognizerPool,
} from "../../runtime/engine/child/pool/recognizer-pool.js";
import {
	type RecognitionJobParts,
	recognizeFile,
} from "../../runtime/engine/child/recognition-job.js";
import type {
	FileEvent,
	FileSource,
	RecognitionJob,
	UtterancesEvent,
} from "../../runtime/engine/file-job.js";
import type {
	Hypothesis,
	SegmentRequest,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { options as laneOptions } from "./fake-lane.js";

/** One word for each span of speech: its length in windows. */
export function wordsOf({ samples }: SegmentRequest): Hypothesis {
	const words: Hypothesis["words"][number][] = [];
	for (let at = 0; at < samples.length; at += 512) {
		const start = at;
		while (at < samples.length && (samples[at] as number) > 0.5) at += 512;
		if (at > start)
			words.push({
				text: `${(at - start) / 512}`,
				startSeconds: start / 16_000,
				endSeconds: at / 16_000,
				kind: "normal",
				confidence: 0.5,
			});
	}
	const text = words.map((it) => it.text).join(" ");
	return madeHypothesis(text, { words, confidence: 0.8 });
}

export interface Performance {
	readonly events: FileEvent[];
	readonly requests: SegmentRequest[];
	readonly audioMs: number;
}

export interface Scene extends Partial<Pick<RecognitionJobParts, "decoder">> {
	readonly source?: Partial<FileSource>;
	readonly job?: Partial<RecognitionJob>;
	readonly options?: Partial<RecognitionOptions>;
	readonly recognize?: (request: SegmentRequest) => Hypothesis;
	/** Of batches, after which each is answered. */
	readonly turns?: () => number;
	/** Segments in the next batch, at most. */
	readonly together?: () => number;
	/** Copies of the recognizer. */
	readonly copies?: number;
	/** Shared with other jobs. */
	readonly pool?: RecognizerPool;
	readonly signal?: AbortSignal;
	readonly onEvent?: (event: FileEvent) => void;
}

/** @param recognizeAll of each of its copies. */
export function poolOf(
	recognizeAll: PooledRecognizer["recognizeAll"],
	{ together, copies = 1 }: Pick<Scene, "together" | "copies"> = {},
): RecognizerPool {
	const copy = { recognizeAll, close: async () => {} };
	const pool = new RecognizerPool({
		...copy,
		name: "planned",
		languages: ["en-US", "ja-JP-en-US"],
		capabilities: whisperCapabilities,
		recognize: async () => "cancelled",
		nextBatch: (waiting) => waiting.slice(0, together?.() ?? 8),
	});
	for (let i = 1; i < copies; i++)
		pool.join({ ...copy, hasEnded: false, batchesMax: 2 });
	return pool;
}

export async function transcribe(
	path: string,
	scene: Scene = {},
): Promise<Performance> {
	const events: FileEvent[] = [];
	const requests: SegmentRequest[] = [];
	const recognize = scene.recognize ?? wordsOf;
	const recognizeAll = async (all: readonly SegmentRequest[]) => {
		requests.push(...all);
		for (let turn = scene.turns?.() ?? 0; turn > 0; turn--)
			await new Promise((resolve) => setImmediate(resolve));
		return all.map((it) =>
			it.cancelled?.() ? ("cancelled" as const) : recognize(it),
		);
	};
	const pool = scene.pool ?? poolOf(recognizeAll, scene);
	const parts: RecognitionJobParts = {
		pool,
		models: {
			createFileSegmenter: (rules) =>
				new SpeechSegmenter(
					{
						windowSamples: 512,
						accept: async (windows) =>
							Float32Array.from({ length: windows.length / 512 }, (_, i) =>
								Math.max(0, windows[i * 512] as number),
							),
						strideWindows: 1,
						finish: async () => new Float32Array(0),
						reset() {},
					},
					rules,
				),
		},
		decoder: scene.decoder ?? openFfmpeg(),
		beam: 5,
	};
	const source: FileSource = {
		path,
		format: "pcm",
		sampleRateHz: 16000,
		channels: 1,
		gain: 1,
		durationSecondsMax: 3600,
		...scene.source,
	};
	const { hotwords, corrections, forbidden, ...sent } = laneOptions;
	const job: RecognitionJob = {
		is: "hear",
		source,
		options: sent,
		resume: [],
		skip: [],
		oneByOne: false,
		...scene.job,
	};
	const options = { ...laneOptions, punctuation: false, ...scene.options };
	const home = {
		emit: (event: FileEvent) => {
			events.push(event);
			scene.onEvent?.(event);
		},
		signal: scene.signal ?? new AbortController().signal,
	};
	const audioMs = await recognizeFile(parts, job, options, home);
	return { events, requests, audioMs };
}

export function pcmOf(...channels: Float32Array[]): Buffer {
	const frames = Math.max(...channels.map((it) => it.length));
	const values = new Int16Array(frames * channels.length);
	for (const [c, samples] of channels.entries())
		for (let i = 0; i < samples.length; i++)
			values[i * channels.length + c] = Math.round(
				(samples[i] as number) * 32767,
			);
	return Buffer.from(values.buffer);
}

export function fileOf(
	t: { testdir(): string },
	bytes: Uint8Array,
	name = "audio",
): string {
	const path = join(t.testdir(), name);
	writeFileSync(path, bytes);
	return path;
}

export function utteranceEventsIn(
	events: readonly FileEvent[],
	channel = 1,
): UtterancesEvent[] {
	return events.filter(
		(it): it is UtterancesEvent => it.is === "heard" && it.channel === channel,
	);
}

export function utterancesIn(events: readonly FileEvent[], channel = 1) {
	return utteranceEventsIn(events, channel).flatMap(
		({ utterances }) => utterances,
	);
}
