/** A microphone whose audio, errors and deaths are controlled by a test. */
import { Microphone } from "../../runtime/microphones/microphone.js";
import type { MicrophoneEvent } from "../../runtime/microphones/microphone-events.js";
import type {
	MicrophoneParts,
	SoundListener,
} from "../../runtime/microphones/microphone-parts.js";
import type { Lane } from "../../runtime/session/lane-port.js";
import { listeningLog, options } from "../engine/fake-lane.js";

export interface FakeMicrophone {
	readonly microphone: Microphone;
	readonly events: MicrophoneEvent[];
	readonly source: SoundListener;
	/** This many periods of silence, or of the given audio. */
	sound(periods: number, bytes?: Uint8Array, levelDbfs?: number): void;
	opened(): void;
	/** Lost before the next period; the clock advances over it. */
	lost(ms: number): void;
}

export function fakeMicrophone(
	lane: Lane,
	changes: Partial<MicrophoneParts> = {},
): FakeMicrophone {
	const events: MicrophoneEvent[] = [];
	let source: SoundListener | undefined;
	let nowMs = 1_000_000;
	let lostSamples = 0;
	const microphone = new Microphone({
		place: { microphone: "front", room: "lobby", language: "en-US" },
		pushToTalk: false,
		muted: false,
		wakes: false,
		lane,
		options: () => ({ ...options, keepsWhole: false, streamed: true }),
		source: (listener) => {
			source = listener;
			return { start: () => {}, refresh: () => {}, stop: async () => {} };
		},
		onEvent: (event) => events.push(event),
		log: listeningLog(() => {}),
		nowMs: () => nowMs,
		...changes,
	});
	if (!source) throw new Error("no source");
	const listener = source;
	return {
		microphone,
		events,
		source: listener,
		opened: () =>
			listener.onMessage({
				is: "opened",
				format: "S16_LE",
				rateHz: 16_000,
				channels: 1,
				periodMs: 40,
			}),
		lost: (ms) => {
			nowMs += ms;
			lostSamples += ms * 16;
		},
		sound: (periods, bytes = new Uint8Array(1280), levelDbfs = -60) => {
			for (let i = 0; i < periods; i++) {
				nowMs += 40;
				listener.onMessage({
					is: "audio",
					audio: {
						bytes,
						levelsDbfs: [levelDbfs],
						...(lostSamples > 0 && { lostSamples }),
					},
				});
				lostSamples = 0;
			}
		},
	};
}
