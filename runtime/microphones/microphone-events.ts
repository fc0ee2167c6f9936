/**
 * What a microphone tells the appliance: the one stream that its exits (MQTT, the terminal) read. Times are of the system's clock, milliseconds since
 * 1970.
 */
import type { Word } from "../session/events.js";

/** An utterance as heard by a microphone. */
export interface MicrophoneUtterance {
	/** Counts from 1 for as long as the appliance runs, without a gap. */
	readonly index: number;
	readonly beginAtMs: number;
	readonly endAtMs: number;
	readonly text: string;
	/** The text's reading in katakana, where it was asked for. */
	readonly spoken?: string;
	readonly confidence: number;
	/** Empty unless words were asked for; their times count from the utterance's begin. */
	readonly words: readonly Word[];
	/** Where it came from, 0 to 360 as the array's geometry counts; undefined without an array. */
	readonly azimuthDeg?: number;
}

export type MicrophonePhase =
	/** The device is being opened. */
	| "starting"
	/** It is recognised. */
	| "listening"
	/** Somebody muted it, or nobody holds its key (push to talk). */
	| "muted"
	| "waiting-for-talk"
	/** Sound comes, but no engine is there yet; the last seconds are kept. */
	| "waiting-for-engine"
	/** The device is gone or can't be had. */
	| "no-device"
	| "stopped";

export interface MicrophoneState {
	readonly phase: MicrophonePhase;
	/** In words, where something is wrong. */
	readonly trouble?: string;
	/** ALSA's name of it. */
	readonly code?: string;
	readonly xruns: number;
	readonly suspends: number;
	/** Seconds of sound that were lost: the card overran, or nobody took them in time. */
	readonly lostSeconds: number;
	readonly driftPpm?: number;
	/** Nothing but zeros, an offset, samples at full scale. */
	readonly warnings: readonly string[];
}

/** What is counted and measured of it, since the start. */
export interface MicrophoneStats extends MicrophonePlace, MicrophoneState {
	/** Times that its device was opened again, */
	readonly reconnects: number;
	/** and times that the process which records it died. */
	readonly deaths: number;
	/** Of each channel in the last second; empty while no sound comes. */
	readonly levelsDbfs: readonly number[];
	/** Told so far, by kind. */
	readonly events: Readonly<Record<MicrophoneEvent["is"], number>>;
}

export interface MicrophonePlace {
	/** The microphone's id. */
	readonly microphone: string;
	readonly room?: string;
	readonly kiosk?: string;
	readonly language: string;
}

export type MicrophoneEvent = MicrophonePlace & { readonly atMs: number } & (
		| { readonly is: "speech-begin"; readonly index: number }
		| { readonly is: "partial"; readonly utterance: MicrophoneUtterance }
		| { readonly is: "final"; readonly utterance: MicrophoneUtterance }
		| { readonly is: "state"; readonly state: MicrophoneState }
	);

/** Where events come from. @returns what stops the telling. */
export interface MicrophoneEvents {
	onEvent(listener: (event: MicrophoneEvent) => void): () => void;
}
