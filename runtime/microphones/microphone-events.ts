/**
 * Events of a microphone: the one stream that its outputs (MQTT, the terminal) read. Times are of the system's clock, milliseconds since
 * 1970.
 */
import type { Word } from "../session/events.js";
import type { SoundWarning } from "./sound-warnings.js";

/** An utterance received by a microphone. */
export interface MicrophoneUtterance {
	/** Counts from 1 without gaps while the appliance runs. */
	readonly index: number;
	readonly beginAtMs: number;
	readonly endAtMs: number;
	readonly text: string;
	/** The text's reading in katakana, where requested. */
	readonly spoken?: string;
	readonly confidence: number;
	/** Empty unless words were requested; their times are relative to the utterance's begin. */
	readonly words: readonly Word[];
	/** Direction of arrival, 0 to 360 as in the array's geometry; undefined without an array. */
	readonly azimuthDeg?: number;
}

/** A wake word received by a microphone. */
export interface MicrophoneWake {
	readonly phrase: string;
	/** Mean probability of its sounds, 0 to 1. */
	readonly confidence: number;
	readonly beginAtMs: number;
	readonly endAtMs: number;
	/** As of an utterance. */
	readonly azimuthDeg?: number;
}

export type MicrophonePhase =
	/** The device is being opened. */
	| "starting"
	/** Audio is being recognized. */
	| "listening"
	/** Speech is detected, but recognized only after a wake word. */
	| "waiting-for-wake-word"
	/** Muted, or the talk key is not pressed (push to talk). */
	| "muted"
	| "waiting-for-talk"
	/** Audio arrives, but no engine is ready; the last seconds are kept. */
	| "waiting-for-engine"
	/** The device has disappeared or can't be opened. */
	| "no-device"
	| "stopped";

export interface MicrophoneState {
	readonly phase: MicrophonePhase;
	/** Also while its device is gone: it is still muted when the device comes back. */
	readonly muted: boolean;
	/** A description of the problem, if there is one. */
	readonly trouble?: string;
	/** ALSA's name of the error. */
	readonly code?: string;
	readonly xruns: number;
	readonly suspends: number;
	/** Seconds of lost audio: the card overran, or the main process did not read it in time. */
	readonly lostSeconds: number;
	readonly driftPpm?: number;
	readonly warnings: readonly SoundWarning[];
}

/** Counts and measurements since the start. */
export interface MicrophoneStats extends MicrophonePlace, MicrophoneState {
	/** Times that the device was reopened. */
	readonly reconnects: number;
	/** Times that its capture process died. */
	readonly deaths: number;
	/** Of each channel over the last second; empty while no audio arrives. */
	readonly levelsDbfs: readonly number[];
	/** The same at this moment. */
	readonly momentLevelsDbfs: readonly number[];
	/** Events emitted so far, by kind. */
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
		| { readonly is: "wake"; readonly wake: MicrophoneWake }
		| { readonly is: "speech-begin"; readonly index: number }
		| { readonly is: "partial"; readonly utterance: MicrophoneUtterance }
		| { readonly is: "final"; readonly utterance: MicrophoneUtterance }
		| { readonly is: "state"; readonly state: MicrophoneState }
	);

/** A source of events. `onEvent` returns a function that unsubscribes. */
export interface MicrophoneEvents {
	onEvent(listener: (event: MicrophoneEvent) => void): () => void;
}
