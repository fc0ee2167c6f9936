/** What a microphone is made of: its capture process, the lane that recognizes its speech, and who receives its events. */
import type { LogPort } from "../log/log-port.js";
import type { Lane } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import type { MicrophoneEvent, MicrophonePlace } from "./microphone-events.js";
import type { FromCapture } from "./protocol.js";

/** The interface of a capture process to its microphone. */
export interface SoundSource {
	start(): void;
	/** The configuration was read again. */
	refresh(): void;
	stop(): Promise<void>;
}

export interface SoundListener {
	onMessage(message: FromCapture): void;
	/** The process has died; the next one starts after the pause. */
	onDeath(reason: string, retryMs: number): void;
}

export interface MicrophoneParts {
	readonly place: MicrophonePlace;
	readonly pushToTalk: boolean;
	readonly muted: boolean;
	/** Speech is recognized only after a wake word. */
	readonly wakes: boolean;
	readonly lane: Lane;
	/** Called each time a recognition is opened. @param hotwords set at runtime; undefined: the configured ones. */
	readonly options: (
		hotwords: readonly string[] | undefined,
	) => RecognitionOptions;
	readonly source: (listener: SoundListener) => SoundSource;
	readonly onEvent: (event: MicrophoneEvent) => void;
	readonly log: LogPort;
	/** Of the system's clock, milliseconds since 1970. */
	readonly nowMs: () => number;
}
