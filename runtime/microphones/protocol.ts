/**
 * All that the main process and a capture process say to each other: one union per direction, over `child_process` IPC with
 * `serialization: "advanced"` (structured clone).
 *
 * - `start` comes first, once. What follows it is told for as long as the process lives: a device that can't be had is `trouble` and is tried again.
 * - `audio` comes every `periodMs` while a device records, silence included. Where main does not take it, the oldest is dropped and the next one says
 *   how much; a device without a clock that is not held to one (`paceMax` is Infinity) waits instead.
 * - A capture process that tells nothing for `quietMsMax` hangs and is killed: `health` comes every `healthMs` at the latest. One whose device gives
 *   nothing for `stalledMsMax`, and no error either, says so and ends: only the kernel can end such a call.
 * - One that dies is started again by main, with back-off. A main process that dies closes the channel: the child ends by itself.
 */
import type { Geometry } from "../audio/array/geometry.js";
import type { SampleFormat } from "./capture-port.js";

export interface CaptureSettings {
	readonly device: string;
	/** That the card records. */
	readonly channels: number;
	readonly rateHz: number;
	readonly format: SampleFormat | undefined;
	/** Which of its channels are microphones, in the order of the geometry; empty: all. */
	readonly channelMap: readonly number[];
	/** Where they are; undefined: their average is heard, and nobody knows from where. */
	readonly geometry: Geometry | undefined;
	/** How much faster than the clock a device may be. A device without a clock of its own (a file) is held to it; Infinity: it comes as fast as it is taken. */
	readonly paceMax: number;
}

export type ToCapture =
	| { readonly is: "start"; readonly settings: CaptureSettings }
	/** Close the device and exit. */
	| { readonly is: "stop" };

/** Of one period. */
export interface CapturedAudio {
	/** Signed 16-bit little-endian, mono, 16 kHz. */
	readonly bytes: Uint8Array;
	/** Of each microphone, dBFS (RMS). */
	readonly levelsDbfs: readonly number[];
	/** How likely each direction is, steps of equal width from 0 degrees; undefined where it can't be told or nobody sounds. */
	readonly directions?: Float32Array;
	/** So much was lost right before it, samples at 16 kHz: the card overran, or main did not take it in time. */
	readonly lostSamples?: number;
}

export interface CaptureHealth {
	/** Overruns since the start: sound was lost before it was read. */
	readonly xruns: number;
	readonly suspends: number;
	/** The card's clock against the system's, parts per million; undefined until a minute of recording was seen. */
	readonly driftPpm: number | undefined;
	/** Of full scale, the largest of the channels. */
	readonly dcOffset: number;
	/** Share of the samples at full scale since the report before. */
	readonly clippedShare: number;
	/** For so long every sample was zero. */
	readonly zeroSeconds: number;
}

export type FromCapture =
	| {
			readonly is: "opened";
			readonly format: SampleFormat;
			readonly rateHz: number;
			readonly channels: number;
			readonly periodMs: number;
	  }
	| { readonly is: "audio"; readonly audio: CapturedAudio }
	/** The device is gone, or can't be had. Tried again after the pause. */
	| {
			readonly is: "trouble";
			/** ALSA's name of the error. */
			readonly code: string;
			readonly message: string;
			readonly retryMs: number;
	  }
	| { readonly is: "health"; readonly health: CaptureHealth };

/** Half of it is how much later than it might an end of speech is noticed; half as long costs twice the processor in a quiet room. */
export const periodMs = 80;
export const healthMs = 2000;
export const quietMsMax = 15_000;
/** Above the ten seconds after which the kernel itself gives up (EIO). */
export const stalledMsMax = 12_000;
/** Seven periods: what the card holds, and what waits for main. */
export const ringMs = 560;
