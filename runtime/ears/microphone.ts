/**
 * A microphone as a standing session: what its capture process records is recognised for as long as the appliance runs, whatever dies in between, and
 * told as one stream of events. It can be muted, and it can wait until somebody wants to talk.
 */
import type { EngineLog } from "../engine/log-port.js";
import type { Utterance } from "../session/events.js";
import type { Lane } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { HeardDirections } from "./heard-directions.js";
import { rateHz } from "./kept-sound.js";
import type {
	HeardUtterance,
	MicrophoneEvent,
	MicrophonePhase,
	MicrophonePlace,
	MicrophoneState,
} from "./microphone-events.js";
import {
	type CapturedAudio,
	type CaptureHealth,
	type FromCapture,
	periodMs,
} from "./protocol.js";
import { SampleClock } from "./sample-clock.js";
import { warningsOf } from "./sound-warnings.js";
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

const samplesOf = (ms: number) => Math.round((ms * rateHz) / 1000);
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
	readonly #directions = new HeardDirections();
	readonly #clock = new SampleClock();
	#device: Device = { is: "starting" };
	#health: CaptureHealth | undefined;
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
						utterance: this.#placed(utterance, index, startSample),
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
		return {
			phase: this.#phase(),
			...(trouble !== undefined && { trouble }),
			...(code !== undefined && { code }),
			xruns: this.#health?.xruns ?? 0,
			suspends: this.#health?.suspends ?? 0,
			lostSeconds: this.#lostSeconds(),
			...(this.#health?.driftPpm !== undefined && {
				driftPpm: Math.round(this.#health.driftPpm),
			}),
			warnings: this.#health ? warningsOf(this.#health) : [],
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
				this.#follow();
				return;
			case "audio":
				this.#accept(message.audio);
				return;
			case "trouble":
				this.#lose(message.code, message.message);
				return;
			case "health":
				this.#health = message.health;
				this.#tellState();
		}
	}

	#accept({ bytes, directions }: CapturedAudio): void {
		this.#standing.accept(bytes);
		const { endSample } = this.#standing.kept;
		this.#clock.note(endSample, this.#parts.nowMs());
		if (directions) this.#directions.push(endSample, directions);
	}

	/** No sound comes: what was said is answered, and the next sound begins anew. */
	#lose(code: string, why: string): void {
		if (this.#device.is !== "gone" || this.#device.code !== code)
			this.#parts.log.warn(
				{ microphone: this.place.microphone, code, why },
				"microphone can't be used",
			);
		this.#device = { is: "gone", code, why };
		this.#follow();
	}

	#placed(
		utterance: Utterance,
		index: number,
		startSample: number,
	): HeardUtterance {
		const begin = startSample + samplesOf(utterance.beginMs);
		const end = startSample + samplesOf(utterance.endMs);
		const azimuthDeg = this.#directions.azimuthDeg(begin, end);
		const { text, spoken, confidence, words, beginMs } = utterance;
		return {
			index,
			beginAtMs: this.#clock.atMs(begin),
			endAtMs: this.#clock.atMs(end),
			text,
			...(spoken !== undefined && { spoken }),
			confidence,
			words: words.map((word) => ({
				...word,
				startMs: word.startMs - beginMs,
				endMs: word.endMs - beginMs,
			})),
			...(azimuthDeg !== undefined && { azimuthDeg }),
		};
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
		const dropped = ((this.#health?.dropped ?? 0) * periodMs) / 1000;
		const lost = this.#standing.kept.lostSamples / rateHz;
		return Math.round((dropped + lost) * 10) / 10;
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
