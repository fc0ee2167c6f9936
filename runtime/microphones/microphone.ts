/**
 * A microphone as a standing session: what its capture process records is recognised for as long as the appliance runs, whatever dies in between, and
 * told as one stream of events. It can be muted, and it can wait until somebody wants to talk.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { EngineLog } from "../engine/log-port.js";
import type { Lane } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { CaptureAccount } from "./capture-account.js";
import type {
	MicrophoneEvent,
	MicrophoneFigures,
	MicrophonePhase,
	MicrophonePlace,
	MicrophoneState,
} from "./microphone-events.js";
import type { CapturedAudio, FromCapture } from "./protocol.js";
import { SoundTrack } from "./sound-track.js";
import { StandingRecognition } from "./standing-recognition.js";

/** What a microphone asks of its capture process. */
export interface SoundSource {
	start(): void;
	stop(): Promise<void>;
}

export interface SoundListener {
	onMessage(message: FromCapture): void;
	onDeath(reason: string, retryMs: number): void;
}

export interface MicrophoneParts {
	readonly place: MicrophonePlace;
	readonly pushToTalk: boolean;
	readonly muted: boolean;
	readonly lane: Lane;
	/** Asked for each time a recognition is opened. @param hotwords that somebody set since; undefined: the configured ones. */
	readonly options: (
		hotwords: readonly string[] | undefined,
	) => RecognitionOptions;
	readonly source: (listener: SoundListener) => SoundSource;
	readonly onEvent: (event: MicrophoneEvent) => void;
	readonly log: EngineLog;
	/** Of the system's clock, milliseconds since 1970. */
	readonly nowMs: () => number;
}

/** What is still being answered when the appliance stops. */
const lastAnswerMsMax = 3000;

type Device =
	| { readonly is: "starting" }
	| { readonly is: "recording" }
	| { readonly is: "gone"; readonly code: string; readonly why: string };

export class Microphone {
	readonly place: MicrophonePlace;
	readonly #parts: MicrophoneParts;
	readonly #source: SoundSource;
	readonly #standing: StandingRecognition;
	readonly #track = new SoundTrack();
	#device: Device = { is: "starting" };
	readonly #account = new CaptureAccount();
	readonly #eventsTold = { "speech-begin": 0, partial: 0, final: 0, state: 0 };
	#muted: boolean;
	#talking = false;
	#hotwords: readonly string[] | undefined;
	#stopped = false;
	#engineTrouble: string | undefined;
	#told = "";

	constructor(parts: MicrophoneParts) {
		this.place = parts.place;
		this.#parts = parts;
		this.#muted = parts.muted;
		this.#standing = new StandingRecognition(
			parts.lane,
			() => parts.options(this.#hotwords),
			{
				onBegin: (index) => this.#tell({ is: "speech-begin", index }),
				onUtterance: (is, utterance, index, startSample) =>
					this.#tell({
						is,
						utterance: this.#track.place(utterance, index, startSample),
					}),
				onHearing: (_, why) => {
					this.#engineTrouble = why;
					this.#tellState();
				},
			},
		);
		this.#source = parts.source({
			onMessage: (message) => this.#hear(message),
			onDeath: (reason, retryMs) => {
				parts.log.error(
					{ microphone: this.place.microphone, reason, retryMs },
					"capture process died",
				);
				this.#account.died();
				this.#lose("EIO", `the capture process ended: ${reason}`);
			},
		});
	}

	start(): void {
		this.#source.start();
		this.#tellState();
	}

	/** What was said is still answered, for a moment. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#source.stop();
		this.#standing.close();
		const timer = setTimeout(() => this.#standing.cancel(), lastAnswerMsMax);
		await Promise.race([
			this.#standing.ended(),
			new Promise((late) => setTimeout(late, lastAnswerMsMax).unref()),
		]);
		clearTimeout(timer);
		this.#tellState();
	}

	get muted(): boolean {
		return this.#muted;
	}

	/** What was said before is still answered. */
	setMuted(muted: boolean): void {
		this.#muted = muted;
		this.#follow();
	}

	/** Push to talk: the key goes down or up. Means nothing to a microphone that always listens. */
	setTalking(talking: boolean): void {
		this.#talking = talking;
		this.#follow();
	}

	/** From the next sentence on. @param words undefined: the configured ones again. */
	setHotwords(words: readonly string[] | undefined): void {
		this.#hotwords = words;
		this.renew();
	}

	/** Options have changed: what is being said is answered with the old ones. */
	renew(): void {
		if (!this.#standing.hearing) return; // the next one asks for them
		this.#standing.close();
		this.#follow();
	}

	get state(): MicrophoneState {
		const { trouble, code } = this.#trouble();
		const { xruns, suspends, driftPpm, warnings } = this.#account;
		return {
			phase: this.#phase(),
			...(trouble !== undefined && { trouble }),
			...(code !== undefined && { code }),
			xruns,
			suspends,
			lostSeconds: this.#lostSeconds(),
			...(driftPpm !== undefined && { driftPpm }),
			warnings,
		};
	}

	/** For whoever watches it. */
	get figures(): MicrophoneFigures {
		const { state } = this;
		const { reconnects, deaths, levelsDbfs } = this.#account;
		return {
			...this.place,
			...state,
			reconnects,
			deaths,
			levelsDbfs,
			events: { ...this.#eventsTold },
		};
	}

	get #wanted(): boolean {
		const { pushToTalk } = this.#parts;
		return !this.#stopped && !this.#muted && (!pushToTalk || this.#talking);
	}

	/** Listens exactly when it should: somebody wants it, and there is sound. */
	#follow(): void {
		if (this.#wanted && this.#device.is === "recording") this.#standing.open();
		else this.#standing.close();
		this.#tellState();
	}

	#hear(message: FromCapture): void {
		switch (message.is) {
			case "opened":
				this.#parts.log.info(
					{ microphone: this.place.microphone, ...message },
					"microphone opened",
				);
				this.#device = { is: "recording" };
				this.#account.opened();
				this.#track.gap(this.#standing.kept.endSample);
				this.#follow();
				return;
			case "audio":
				this.#accept(message.audio);
				return;
			case "trouble":
				this.#lose(message.code, message.message);
				return;
			case "health":
				this.#account.told(message.health);
				this.#tellState();
		}
	}

	#accept(audio: CapturedAudio): void {
		const { kept } = this.#standing;
		this.#account.heard(audio);
		if (audio.lostSamples) this.#track.gap(kept.endSample);
		this.#standing.accept(audio.bytes);
		this.#track.note(audio, kept.endSample, this.#parts.nowMs());
	}

	/** No sound comes: what was said is answered, and the next sound begins anew. */
	#lose(code: string, why: string): void {
		if (this.#device.is !== "gone" || this.#device.code !== code)
			this.#parts.log.warn(
				{ microphone: this.place.microphone, code, why },
				"microphone can't be used",
			);
		this.#device = { is: "gone", code, why };
		this.#account.lost();
		this.#follow();
	}

	#phase(): MicrophonePhase {
		if (this.#stopped) return "stopped";
		if (this.#device.is === "gone") return "no-device";
		if (this.#muted) return "muted";
		if (!this.#wanted) return "waiting-for-talk";
		if (this.#device.is === "starting") return "starting";
		return this.#standing.hearing ? "listening" : "waiting-for-engine";
	}

	#trouble(): { trouble?: string; code?: string } {
		if (this.#device.is === "gone")
			return { trouble: this.#device.why, code: this.#device.code };
		const waits = this.#phase() === "waiting-for-engine";
		return waits && this.#engineTrouble !== undefined
			? { trouble: this.#engineTrouble }
			: {};
	}

	#lostSeconds(): number {
		const { kept } = this.#standing;
		const samples = this.#account.lostSamples + kept.lostSamples;
		return Math.round((samples * 10) / sampleRateHz) / 10;
	}

	/** Where it is news. */
	#tellState(): void {
		const { state } = this;
		const { driftPpm, ...news } = state;
		const text = JSON.stringify(news);
		if (text === this.#told) return;
		this.#told = text;
		this.#tell({ is: "state", state });
	}

	#tell(event: TellableEvent): void {
		const atMs = this.#parts.nowMs();
		this.#eventsTold[event.is]++;
		this.#parts.onEvent({ ...this.place, atMs, ...event });
	}
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown
	? Omit<T, K>
	: never;
type TellableEvent = DistributiveOmit<
	MicrophoneEvent,
	keyof MicrophonePlace | "atMs"
>;
