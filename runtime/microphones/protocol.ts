/**
 * Every message between the main process and a capture process: one union per direction, over `child_process` IPC with
 * `serialization: "advanced"` (structured clone).
 *
 * - `start` is sent once, first. From then on the process reports until it ends: a device that can't be opened is `trouble` and is tried again.
 * - `audio` is sent every `periodMs` while a device records, silence included. If main does not keep up, the oldest is dropped and the next one reports
 *   how much; a device without a clock that is not paced (`paceMax` is Infinity) waits instead.
 * - A capture process that sends nothing for `quietMsMax`, or for `startMsMax` at first, is hung and is killed: `health` is sent at least every `healthMs`. A process whose device returns
 *   neither audio nor an error for `stalledMsMax` reports that and exits: only the kernel can end such a call.
 * - Main restarts a process that died, with back-off. When the main process dies, the channel closes and the child exits.
 */
import type { Geometry } from "../audio/array/geometry.js";
import type { SampleFormat } from "./capture-port.js";
import type { StreamAccess } from "./stream-address.js";

export interface CaptureSettings {
	readonly device: string;
	/** Channels that the card records. */
	readonly channels: number;
	readonly rateHz: number;
	readonly format: SampleFormat | undefined;
	/** The channels that are microphones, in the order of the geometry; empty: all. */
	readonly channelMap: readonly number[];
	/** Positions of the microphones; undefined: their average is recognized, without a direction. */
	readonly geometry: Geometry | undefined;
	/** How much faster than real time a device may be. A device without a clock (a file) is paced by it; Infinity: it is read as fast as its audio is taken. */
	readonly paceMax: number;
	/** Where `device` is the address of a stream. */
	readonly stream?: StreamAccess;
}

export type ToCapture =
	| { readonly is: "start"; readonly settings: CaptureSettings }
	/** Close the device and exit. */
	| { readonly is: "stop" };

/** Audio of one period. */
export interface CapturedAudio {
	/** Signed 16-bit little-endian, mono, 16 kHz. */
	readonly bytes: Uint8Array;
	/** Of each microphone, dBFS (RMS). */
	readonly levelsDbfs: readonly number[];
	/** Likelihood of each direction, in equal steps from 0 degrees; undefined if it is unknown or there is silence. */
	readonly directions?: Float32Array;
	/** Audio lost right before it, samples at 16 kHz: the card overran, or main did not read it in time. */
	readonly lostSamples?: number;
}

export interface CaptureHealth {
	/** Overruns since the start: audio was lost before it was read. */
	readonly xruns: number;
	readonly suspends: number;
	/** The card's clock against the system's, parts per million; undefined in the first minute of recording. */
	readonly driftPpm: number | undefined;
	/** Mean since the last report, relative to full scale: the largest of the channels. */
	readonly dcOffset: number;
	/** Share of the samples at full scale since the last report. */
	readonly clippedShare: number;
	/** How long every sample has been zero. */
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
	/** The device has disappeared, or can't be opened. Tried again after the pause; if there is none, the process ends. */
	| {
			readonly is: "trouble";
			/** ALSA's name of the error. */
			readonly code: string;
			readonly message: string;
			readonly retryMs: number;
	  }
	| { readonly is: "health"; readonly health: CaptureHealth };

/** An end of speech is noticed half a period late on average; half the period costs twice the CPU time in a quiet room. */
export const periodMs = 80;
export const healthMs = 2000;
/** Until its first message: a busy machine takes its time to load a program. */
export const startMsMax = 120_000;
export const quietMsMax = 15_000;
/** Above the ten seconds after which the kernel gives up (EIO). */
export const stalledMsMax = 12_000;
/** Seven periods: the card's buffer, and the queue to main. */
export const ringMs = 560;
