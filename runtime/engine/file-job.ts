/**
 * Work on a whole file that the main process requests from an engine of the batch lane: transcribe it, or tell its speakers apart. A job reads the file
 * itself. After an engine has died the job can be requested again from where that engine had got to.
 *
 * Devices of a site send jobs and events to each other (fleet/payloads/jobs.ts): their keys and values are part of that protocol.
 *
 * How a job ends: with an `event` that is `done`, or with `failed`; nothing with its id follows. `cancel` has no answer.
 */

import type { AudioFormat } from "../audio/container.js";
import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type { Utterance } from "../session/events.js";
import type { SentOptions } from "./sent-options.js";

/** A file on this device, and its known properties. */
export interface FileSource {
	readonly path: string;
	/** Of its bytes. */
	readonly format: AudioFormat;
	/** Of raw audio. */
	readonly sampleRateHz: number;
	/** 2: each channel is a separate speaker; 1: all channels are mixed. */
	readonly channels: 1 | 2;
	readonly gain: number;
	/** More decoded samples than this fail the job with 200005, whatever the header says. */
	readonly durationSecondsMax: number;
}

/** From 1; 1 if all channels are mixed. */
export type Channel = 1 | 2;

/** Where to resume in one channel: everything before was reported by an earlier engine. */
export interface Resume {
	/** Sample at 16 kHz; 0 at the beginning. */
	readonly sample: number;
	/** Of the next utterance, from 1. */
	readonly index: number;
}

/** A span of one channel. */
export interface ChannelSpan {
	readonly channel: Channel;
	readonly startSample: number;
	readonly endSample: number;
}

/** `options`: format, rate, gain and duration are the source's; partials and streaming are ignored. Words, where requested, come with their times. */
export interface RecognitionJob {
	readonly is: "hear";
	readonly source: FileSource;
	readonly options: SentOptions;
	/** One per channel. */
	readonly resume: readonly Resume[];
	/** Spans not to be tried again: they are reported as utterances without text. */
	readonly skip: readonly ChannelSpan[];
	/** Decode one segment at a time: an engine died while decoding several, and this finds out which one caused it. */
	readonly oneByOne: boolean;
}

export interface DiarizationJob {
	readonly is: "voices";
	readonly source: FileSource;
	/** Speech, in order, milliseconds. */
	readonly regions: readonly {
		readonly startMs: number;
		readonly endMs: number;
	}[];
	/** Number of speakers; 0: unknown. */
	readonly count: number;
}

export type FileJob = RecognitionJob | DiarizationJob;

/** A span in which one speaker talks; the turns without `beside` together cover the regions. */
export interface Turn {
	readonly startMs: number;
	readonly endMs: number;
	/** From 1, by first appearance. */
	readonly speaker: number;
	/** Another speaker talks at the same time, in a turn without this. */
	readonly beside?: true;
}

export type FileEvent =
	/** These are decoded next: an engine that dies now died of one of them. */
	| { readonly is: "trying"; readonly stretches: readonly ChannelSpan[] }
	/**
	 * In the order of the channel. Everything before `resume.sample` has been reported. `unheard`: an utterance without text, for speech that was
	 * given up; `skipped`: because the job's `skip` named it.
	 */
	| {
			readonly is: "heard";
			readonly channel: Channel;
			readonly utterances: readonly (Utterance & {
				readonly skipped?: boolean;
				readonly unheard?: UnrecognizedSpeech;
			})[];
			readonly resume: Resume;
	  }
	| { readonly is: "voices"; readonly turns: readonly Turn[] }
	/** Audio processed so far. */
	| { readonly is: "progress"; readonly audioMs: number }
	/** @param audioMs the file's length, counted in samples. */
	| { readonly is: "done"; readonly audioMs: number };

/** What a passage became: texts, and speech that has none. Devices send each other this event under its name (fleet/payloads/jobs.ts). */
export type UtterancesEvent = Extract<FileEvent, { readonly is: "heard" }>;
