/**
 * Work on a whole file, as the main process asks an engine of the batch lane for it: hear what is said, or tell the voices apart. A job reads the file by
 * itself and may be asked for again from where an engine that died had come to.
 *
 * How a job ends: with an `event` that is `done`, or with `failed`; nothing of its id follows. `cancel` has no answer.
 */
import type { PcmRateHz } from "../audio/sample-rate.js";
import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type { Utterance } from "../session/events.js";
import type { AudioFormat } from "../session/options.js";
import type { SentOptions } from "./sent-options.js";

/** A file on this device, and what is known of it. */
export interface FileSource {
	readonly path: string;
	/** What its bytes are. */
	readonly format: AudioFormat;
	/** Of raw PCM. */
	readonly sampleRateHz: PcmRateHz;
	/** 2: each channel is a talker of its own; 1: all channels are mixed. */
	readonly channels: 1 | 2;
	readonly gain: number;
	/** More decoded samples than this fail the job with 200005, whatever the header says. */
	readonly durationSecondsMax: number;
}

/** From 1; 1 where all is mixed. */
export type Channel = 1 | 2;

/** Where to go on in one channel: what lies before was told by an engine before. */
export interface Resume {
	/** Sample at 16 kHz; 0 at the beginning. */
	readonly sample: number;
	/** Of the next utterance, from 1. */
	readonly index: number;
}

/** A stretch of one channel. */
export interface ChannelSpan {
	readonly channel: Channel;
	readonly startSample: number;
	readonly endSample: number;
}

/** `options`: format, rate, gain and duration are the source's; partials and streaming mean nothing. Words, where wanted, come with their times. */
export interface RecognitionJob {
	readonly is: "hear";
	readonly source: FileSource;
	readonly options: SentOptions;
	/** By channel. */
	readonly resume: readonly Resume[];
	/** Not to be tried again: an utterance without text takes their place. */
	readonly skip: readonly ChannelSpan[];
	/** One segment at a time: an engine died of one of several, and it should be found out of which. */
	readonly oneByOne: boolean;
}

export interface DiarizationJob {
	readonly is: "voices";
	readonly source: FileSource;
	/** Where somebody speaks, in order, milliseconds. */
	readonly regions: readonly {
		readonly startMs: number;
		readonly endMs: number;
	}[];
	/** Voices; 0: as many as there are. */
	readonly count: number;
}

export type FileJob = RecognitionJob | DiarizationJob;

/** One voice for a while; together those that are not beside another cover the regions. */
export interface Turn {
	readonly startMs: number;
	readonly endMs: number;
	/** From 1, by first appearance. */
	readonly speaker: number;
	/** Somebody else speaks at the same time, in a turn without this. */
	readonly beside?: true;
}

export type FileEvent =
	/** These are decoded next: who dies now died of one of them. */
	| { readonly is: "trying"; readonly stretches: readonly ChannelSpan[] }
	/**
	 * In the order of the channel. All that lies before `resume.sample` has been told. `unheard`: an utterance without text, which stands for speech that was
	 * given up; `skipped`: by the job's wish.
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
	/** So much of the file is done. */
	| { readonly is: "progress"; readonly audioMs: number }
	/** @param audioMs the file's length, counted in samples. */
	| { readonly is: "done"; readonly audioMs: number };
