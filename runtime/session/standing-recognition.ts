/**
 * A recognition that never ends: opened on the lane, opened again whenever its engine dies or the appliance is at capacity, and first given the audio without a
 * final. Its owner sees the events of a single recognition: sample numbers continue, each utterance is emitted once.
 *
 * An engine slower than speech is given no more than it takes: the rest waits in the bounded `AudioBacklog`, which drops the oldest audio when it is full.
 */
import { CodedError } from "../errors.js";
import { sleepUnlessAborted } from "../event-loop/sleep.js";
import { AudioBacklog, type BacklogFormat } from "./audio-backlog.js";
import {
	ContinuedEvents,
	isAwake,
	type StandingListener,
	type Unended,
} from "./continued-events.js";
import {
	type Lane,
	localDevice,
	type Recognition,
	type RecognitionCaller,
} from "./lane-port.js";
import type { RecognitionOptions } from "./options.js";

type Phase =
	| { readonly is: "closed" }
	/** Waiting for an engine, or for the pause before the next attempt. */
	| { readonly is: "opening"; readonly abort: AbortController }
	| {
			readonly is: "open";
			readonly recognition: Recognition;
			readonly startSample: number;
			readonly unended: Unended;
			/** End of the audio written to it, */
			givenSample: number;
			/** whether it accepts more now, */
			takes: boolean;
			/** and whether it was told that this is all. */
			finished: boolean;
	  };
type Open = Extract<Phase, { is: "open" }>;

/** Chunk size during silence: in a quiet room most of a microphone's work is messages between processes. */
const quietSeconds = 0.16;
const firstPauseMs = 200;
const pauseMsMax = 5000;

export class StandingRecognition {
	readonly backlog: AudioBacklog;
	readonly #quietSamples: number;
	readonly #caller: RecognitionCaller;
	readonly #lane: Lane;
	readonly #options: () => RecognitionOptions;
	readonly #listener: StandingListener;
	readonly #events: ContinuedEvents;
	#phase: Phase = { is: "closed" };
	#pauseMs = firstPauseMs;
	/** Recognitions that were finished and still have events. */
	readonly #leaving = new Set<Promise<void>>();
	/** Set by `finish`: called when all audio is recognized. */
	#onFinished: (() => void) | undefined;

	/**
	 * @param options called for each recognition: word lists may have changed; its format is that of the audio.
	 * @param audio its source: default, the device itself with signed 16-bit audio at 16 kHz.
	 */
	constructor(
		lane: Lane,
		options: () => RecognitionOptions,
		listener: StandingListener,
		audio: {
			readonly caller?: RecognitionCaller;
			readonly format?: BacklogFormat;
		} = {},
	) {
		this.#lane = lane;
		this.#options = options;
		this.#listener = listener;
		this.#caller = audio.caller ?? localDevice;
		this.backlog = new AudioBacklog(audio.format);
		this.#events = new ContinuedEvents(listener, this.backlog);
		this.#quietSamples = quietSeconds * this.backlog.format.rateHz;
	}

	get isRecognizing(): boolean {
		return this.#phase.is === "open";
	}

	/** @param bytes whole samples, mono; kept. */
	accept(bytes: Uint8Array): void {
		this.backlog.push(bytes);
		const phase = this.#phase;
		if (phase.is === "closed") this.backlog.dropWhileClosed();
		if (phase.is !== "open") return;
		this.#give(phase);
		if (phase.unended.utterance === undefined)
			this.backlog.dropSilence(this.#processedSample(phase));
	}

	/** Starts recognizing, beginning with the backlog. */
	open(): void {
		if (this.#phase.is !== "closed") return;
		void this.#reopen({ utterance: undefined, awake: false });
	}

	/** Stops recognizing; audio received so far still gets its final. */
	close(): void {
		if (this.#phase.is === "open") this.#give(this.#phase, true);
		const phase = this.#phase;
		this.#phase = { is: "closed" };
		if (phase.is === "opening") phase.abort.abort();
		if (phase.is === "open") phase.recognition.finish();
		this.backlog.dropRecognized(this.backlog.endSample);
	}

	/** The options have changed: audio received so far gets its final with the old ones, and later audio a recognition of its own. */
	renew(): void {
		const phase = this.#phase;
		if (phase.is !== "open") return; // the next one reads them when it opens
		this.close();
		this.#reopenAfter(phase);
	}

	/** Samples that no recognition has been given yet. */
	get waitingSamples(): number {
		const { endSample, startSample } = this.backlog;
		const phase = this.#phase;
		if (phase.is === "closed") return 0;
		const from = phase.is === "open" ? phase.givenSample : startSample;
		return endSample - Math.max(from, startSample);
	}

	/**
	 * No more audio comes. Unlike after `close`, what a recognition leaves when its engine dies is recognized by the next one. Resolves when every final has
	 * been emitted, or after `cancel`.
	 */
	async finish(): Promise<void> {
		if (this.#phase.is !== "closed") {
			const finished = new Promise<void>((resolve) => {
				this.#onFinished = resolve;
			});
			if (this.#phase.is === "open") this.#give(this.#phase);
			await finished;
		}
		await this.ended();
	}

	/** Settles when every closed recognition has ended. */
	async ended(): Promise<void> {
		await Promise.all(this.#leaving);
	}

	/** Stops at once, without pending finals. */
	cancel(): void {
		const phase = this.#phase;
		this.#phase = { is: "closed" };
		if (phase.is === "opening") phase.abort.abort();
		if (phase.is === "open") phase.recognition.cancel();
		this.#onFinished?.();
	}

	/** What follows one that was finished is a new utterance; after a wake word nobody has to say another. */
	#reopenAfter({ unended }: Open): void {
		void this.#reopen({ utterance: undefined, awake: isAwake(unended) });
	}

	/** @param unended what the new recognition goes on with. */
	async #reopen(unended: Unended): Promise<void> {
		const abort = new AbortController();
		this.#phase = { is: "opening", abort };
		const { signal } = abort;
		while (!signal.aborted) {
			try {
				const recognition = await this.#lane.open(
					this.#optionsFor(unended),
					this.#caller,
					signal,
				);
				if (signal.aborted) {
					recognition.cancel();
					return;
				}
				this.#begin(recognition, unended);
				return;
			} catch (error) {
				if (signal.aborted) return;
				this.#listener.onAvailability(false, (error as Error).message);
				await sleepUnlessAborted(this.#pauseMs, signal);
				this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
			}
		}
	}

	/** A recognition that replaces one that died after a wake word does not wait for another. */
	#optionsFor(unended: Unended): RecognitionOptions {
		const options = this.#options();
		const { wake } = options;
		return wake && isAwake(unended)
			? { ...options, wake: { ...wake, awake: true } }
			: options;
	}

	#begin(recognition: Recognition, unended: Unended): void {
		const { startSample } = this.backlog;
		this.#pauseMs = firstPauseMs;
		const phase: Open = {
			is: "open",
			recognition,
			startSample,
			unended,
			givenSample: startSample,
			takes: true,
			finished: false,
		};
		this.#phase = phase;
		recognition.onDrain(() => {
			phase.takes = true;
			if (this.#phase === phase) this.#give(phase);
		});
		this.#give(phase);
		const reading = this.#read(phase);
		this.#leaving.add(reading);
		void reading.finally(() => this.#leaving.delete(reading));
		this.#listener.onAvailability(true);
	}

	/** Writes as much of the backlog as the recognition takes. @param all even if it is less than `quietSeconds`. */
	#give(
		phase: Open,
		all = phase.unended.utterance !== undefined ||
			this.#onFinished !== undefined,
	): void {
		if (phase.givenSample < this.backlog.startSample) {
			// the audio it needs next is lost: finish with what it has
			phase.recognition.finish();
			this.#reopenAfter(phase);
			return;
		}
		while (phase.takes) {
			const bytes = this.backlog.audioAt(phase.givenSample, this.#quietSamples);
			const samples = bytes.length / this.backlog.format.bytesPerSample;
			if (samples === 0) this.#finishIfRequested(phase);
			if (samples === 0 || (!all && samples < this.#quietSamples)) return;
			phase.givenSample += samples;
			phase.takes = phase.recognition.write(bytes);
		}
	}

	/** All audio was given. */
	#finishIfRequested(phase: Open): void {
		if (!this.#onFinished || phase.finished) return;
		phase.finished = true;
		phase.recognition.finish();
	}

	/** End of the audio that the engine has processed. */
	#processedSample({ givenSample, recognition }: Open): number {
		const { bytesPerSample } = this.backlog.format;
		return givenSample - (recognition.unusedBytes ?? 0) / bytesPerSample;
	}

	/** Never rejects. */
	async #read(phase: Open): Promise<void> {
		const { recognition } = phase;
		let why = "the recognition ended";
		try {
			for await (const event of recognition.events) {
				if (event.is === "sleep" && this.#phase !== phase) continue; // not of the recognition that followed it
				this.#events.accept(event, phase.startSample, phase.unended);
			}
			if (this.#endFinished(phase)) return;
		} catch (error) {
			why = error instanceof CodedError ? error.message : String(error);
		}
		if (this.#phase !== phase) return; // it was closed
		this.#listener.onAvailability(false, why);
		void this.#reopen(phase.unended);
	}

	/** @returns whether it was the last recognition, and has ended as requested. */
	#endFinished(phase: Open): boolean {
		if (this.#phase !== phase || !phase.finished) return false;
		this.#phase = { is: "closed" };
		this.#onFinished?.();
		return true;
	}
}
