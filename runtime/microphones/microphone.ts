/**
 * A microphone with a standing recognition: what its capture process records is recognized as long as the appliance runs, whatever dies in between, and
 * emitted as one stream of events. It can be muted, and it can wait for push to talk.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import { StandingRecognition } from "../session/standing-recognition.js";
import { CaptureTotals } from "./capture-totals.js";
import { MicrophoneEmitter } from "./microphone-emitter.js";
import type {
	MicrophonePhase,
	MicrophonePlace,
	MicrophoneState,
	MicrophoneStats,
} from "./microphone-events.js";
import type { MicrophoneParts, SoundSource } from "./microphone-parts.js";
import type { CapturedAudio, FromCapture } from "./protocol.js";
import { UtteranceLocator } from "./utterance-locator.js";

/** How long pending finals are awaited when the appliance stops. */
const lastAnswerMsMax = 3000;

type Device =
	| { readonly is: "starting" }
	| { readonly is: "recording" }
	| {
			readonly is: "gone";
			readonly code: string;
			readonly why: string;
			/** The capture process ends itself over it. */
			readonly isLast: boolean;
	  };

export class Microphone {
	readonly place: MicrophonePlace;
	readonly #parts: MicrophoneParts;
	readonly #source: SoundSource;
	readonly #standing: StandingRecognition;
	readonly #locator = new UtteranceLocator();
	#device: Device = { is: "starting" };
	readonly #totals = new CaptureTotals();
	readonly #emitter: MicrophoneEmitter;
	#muted: boolean;
	#talking = false;
	#hotwords: readonly string[] | undefined;
	#stopped = false;
	#engineTrouble: string | undefined;

	constructor(parts: MicrophoneParts) {
		this.place = parts.place;
		this.#parts = parts;
		this.#emitter = new MicrophoneEmitter(parts);
		this.#muted = parts.muted;
		this.#standing = new StandingRecognition(
			parts.lane,
			() => parts.options(this.#hotwords),
			{
				onWake: (wake, startSample) => {
					this.#emitter.emit({
						is: "wake",
						wake: this.#locator.locateWake(wake, startSample),
					});
					this.#emitState();
				},
				onSleep: () => this.#emitState(),
				onBegin: (index) => this.#emitter.emit({ is: "speech-begin", index }),
				onUtterance: (is, utterance, index, startSample) =>
					this.#emitter.emit({
						is,
						utterance: this.#locator.locate(utterance, index, startSample),
					}),
				onAvailability: (_, why) => {
					this.#engineTrouble = why;
					this.#emitState();
				},
			},
		);
		this.#source = parts.source({
			onMessage: (message) => this.#onMessage(message),
			onDeath: (reason, retryMs) => {
				parts.log.error(
					{ microphone: this.place.microphone, reason, retryMs },
					"capture process died",
				);
				this.#totals.died();
				if (this.#device.is === "gone" && this.#device.isLast)
					this.#device = { ...this.#device, isLast: false };
				else this.#lose("EIO", `the capture process ended: ${reason}`);
			},
		});
	}

	start(): void {
		this.#source.start();
		this.#emitState();
	}

	/** The configuration was read again: its device is opened anew if that says something else of it. */
	refresh(): void {
		this.#source.refresh();
	}

	/** Waits a moment for pending finals. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#source.stop();
		this.#standing.closeWithoutWaiting();
		const timer = setTimeout(() => this.#standing.cancel(), lastAnswerMsMax);
		await Promise.race([
			this.#standing.ended(),
			new Promise((timeout) => setTimeout(timeout, lastAnswerMsMax).unref()),
		]);
		clearTimeout(timer);
		this.#emitState();
	}

	get isPushToTalk(): boolean {
		return this.#parts.pushToTalk;
	}

	/** Speech from before is still recognized. */
	setMuted(muted: boolean): void {
		this.#muted = muted;
		this.#follow();
	}

	/** Push to talk: the key is pressed or released. */
	setTalking(talking: boolean): void {
		this.#talking = talking;
		this.#follow();
	}

	/** Takes effect with the next sentence. @param words undefined: the configured ones again. */
	setHotwords(words: readonly string[] | undefined): void {
		this.#hotwords = words;
		this.renew();
	}

	/** The options have changed: current speech is finished with the old ones. */
	renew(): void {
		this.#standing.renew();
		this.#emitState();
	}

	get state(): MicrophoneState {
		const { trouble, code } = this.#trouble();
		const { xruns, suspends, driftPpm, warnings } = this.#totals;
		return {
			phase: this.#phase(),
			muted: this.#muted,
			...(trouble !== undefined && { trouble }),
			...(code !== undefined && { code }),
			xruns,
			suspends,
			lostSeconds: this.#lostSeconds(),
			...(driftPpm !== undefined && { driftPpm }),
			warnings,
		};
	}

	/** For metrics and monitoring. */
	get stats(): MicrophoneStats {
		const { state } = this;
		const { reconnects, deaths, levelsDbfs, momentLevelsDbfs } = this.#totals;
		return {
			...this.place,
			...state,
			reconnects,
			deaths,
			levelsDbfs,
			momentLevelsDbfs,
			events: this.#emitter.counts,
		};
	}

	get #shouldRecognize(): boolean {
		const { pushToTalk } = this.#parts;
		return !this.#stopped && !this.#muted && (!pushToTalk || this.#talking);
	}

	/** Recognizes exactly when it should: it is not muted, and audio arrives. */
	#follow(): void {
		if (this.#shouldRecognize && this.#device.is === "recording")
			this.#standing.open();
		else this.#standing.close();
		this.#emitState();
	}

	#onMessage(message: FromCapture): void {
		switch (message.is) {
			case "opened":
				this.#parts.log.info(
					{ microphone: this.place.microphone, ...message },
					"microphone opened",
				);
				this.#device = { is: "recording" };
				this.#totals.opened();
				this.#locator.gap(this.#standing.backlog.endSample);
				this.#follow();
				return;
			case "audio":
				this.#accept(message.audio);
				return;
			case "trouble":
				this.#lose(message.code, message.message, message.retryMs === 0);
				return;
			case "health":
				this.#totals.addHealth(message.health);
				this.#emitState();
		}
	}

	#accept(audio: CapturedAudio): void {
		const { backlog } = this.#standing;
		this.#totals.addAudio(audio);
		if (audio.lostSamples) this.#locator.gap(backlog.endSample);
		this.#standing.accept(audio.bytes);
		this.#locator.note(audio, backlog.endSample, this.#parts.nowMs());
	}

	/** Audio has stopped: pending speech is finished, and later audio begins a new recognition. */
	#lose(code: string, why: string, isLast = false): void {
		if (this.#device.is !== "gone" || this.#device.code !== code)
			this.#parts.log.warn(
				{ microphone: this.place.microphone, code, why },
				"microphone can't be used",
			);
		this.#device = { is: "gone", code, why, isLast };
		this.#totals.lost();
		this.#follow();
	}

	#phase(): MicrophonePhase {
		if (this.#stopped) return "stopped";
		if (this.#device.is === "gone") return "no-device";
		if (this.#muted) return "muted";
		if (!this.#shouldRecognize) return "waiting-for-talk";
		if (this.#device.is === "starting") return "starting";
		if (!this.#standing.isRecognizing) return "waiting-for-engine";
		return this.#parts.wakes && !this.#standing.isAwake
			? "waiting-for-wake-word"
			: "listening";
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
		const { backlog } = this.#standing;
		const samples = this.#totals.lostSamples + backlog.lostSamples;
		return Math.round((samples * 10) / sampleRateHz) / 10;
	}

	#emitState(): void {
		this.#emitter.emitState(this.state);
	}
}
