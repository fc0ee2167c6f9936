/**
 * A recognition that never ends: opened on the lane, opened again whenever its engine dies or the appliance is at capacity, and given first what was not
 * answered. Its owner hears events as if there had been one recognition all along: sample numbers go on, utterances are told once.
 *
 * An engine that is slower than speech is given no more than it takes: the rest waits here, bounded (`KeptSound`), and past that bound the oldest is lost.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import { CodedError } from "../errors.js";
import type { SessionEvent, Utterance } from "../session/events.js";
import {
	type Lane,
	localDevice,
	type Recognition,
} from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { AudioBacklog } from "./audio-backlog.js";

export interface StandingListener {
	/** An utterance begins. */
	onBegin(index: number): void;
	/** @param startSample of the recognition that told it: its times count from there. */
	onUtterance(
		is: "partial" | "final",
		utterance: Utterance,
		index: number,
		startSample: number,
	): void;
	/** It is (not) heard just now. */
	onAvailability(isRecognizing: boolean, why?: string): void;
}

type Phase =
	| { readonly is: "closed" }
	/** An engine is asked for, or will be after a pause. */
	| { readonly is: "opening"; readonly abort: AbortController }
	| {
			readonly is: "open";
			readonly recognition: Recognition;
			readonly startSample: number;
			/** Until where it was given what is kept, */
			givenSample: number;
			/** and whether it takes more just now. */
			takes: boolean;
	  };
type Open = Extract<Phase, { is: "open" }>;

const bytesPerSample = 2;
/** While nobody speaks sound is given in such pieces: in a quiet room most of a microphone's work is messages from one process to the next. */
const quietSamples = 0.16 * sampleRateHz;
const firstPauseMs = 200;
const pauseMsMax = 5000;

export class StandingRecognition {
	readonly backlog = new AudioBacklog();
	readonly #lane: Lane;
	readonly #options: () => RecognitionOptions;
	readonly #listener: StandingListener;
	#phase: Phase = { is: "closed" };
	/** Utterances told. */
	#utterances = 0;
	/** One was told to begin and was not answered. */
	#open = false;
	#pauseMs = firstPauseMs;
	/** Recognitions that were told to finish and still answer. */
	readonly #leaving = new Set<Promise<void>>();

	/** @param options asked for each time one is opened: lists of words may have changed. */
	constructor(
		lane: Lane,
		options: () => RecognitionOptions,
		listener: StandingListener,
	) {
		this.#lane = lane;
		this.#options = options;
		this.#listener = listener;
	}

	get isRecognizing(): boolean {
		return this.#phase.is === "open";
	}

	/** @param bytes signed 16-bit little-endian, mono, 16 kHz. */
	accept(bytes: Uint8Array): void {
		this.backlog.push(bytes);
		const phase = this.#phase;
		if (phase.is === "closed") this.backlog.notRecognized();
		if (phase.is !== "open") return;
		this.#give(phase);
		if (!this.#open) this.backlog.silent(processedSample(phase));
	}

	/** From what is kept on. */
	open(): void {
		if (this.#phase.is !== "closed") return;
		void this.#reopen();
	}

	/** What was said is answered; what follows is not heard. */
	close(): void {
		if (this.#phase.is === "open") this.#give(this.#phase, true);
		const phase = this.#phase;
		this.#phase = { is: "closed" };
		if (phase.is === "opening") phase.abort.abort();
		if (phase.is === "open") phase.recognition.finish();
		this.backlog.answered(this.backlog.endSample);
	}

	/** Every recognition that was closed has answered, or is given up. */
	async ended(): Promise<void> {
		await Promise.all(this.#leaving);
	}

	/** At once, unanswered. */
	cancel(): void {
		const phase = this.#phase;
		this.#phase = { is: "closed" };
		if (phase.is === "opening") phase.abort.abort();
		if (phase.is === "open") phase.recognition.cancel();
	}

	async #reopen(): Promise<void> {
		const abort = new AbortController();
		this.#phase = { is: "opening", abort };
		const { signal } = abort;
		while (!signal.aborted) {
			try {
				const recognition = await this.#lane.open(
					this.#options(),
					localDevice,
					signal,
				);
				if (signal.aborted) {
					recognition.cancel();
					return;
				}
				this.#begin(recognition);
				return;
			} catch (error) {
				if (signal.aborted) return;
				this.#listener.onAvailability(false, (error as Error).message);
				await sleepUnlessAborted(this.#pauseMs, signal);
				this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
			}
		}
	}

	#begin(recognition: Recognition): void {
		const { startSample } = this.backlog;
		this.#pauseMs = firstPauseMs;
		const phase: Open = {
			is: "open",
			recognition,
			startSample,
			givenSample: startSample,
			takes: true,
		};
		this.#phase = phase;
		recognition.onDrain(() => {
			phase.takes = true;
			if (this.#phase === phase) this.#give(phase);
		});
		this.#give(phase);
		const reading = this.#read(recognition, startSample);
		this.#leaving.add(reading);
		void reading.finally(() => this.#leaving.delete(reading));
		this.#listener.onAvailability(true);
	}

	/** As much of what is kept as it takes. @param all now, however little it is. */
	#give(phase: Open, all = this.#open): void {
		if (phase.givenSample < this.backlog.startSample) {
			// what it should hear next is lost: it answers what it heard
			phase.recognition.finish();
			void this.#reopen();
			return;
		}
		while (phase.takes) {
			const bytes = this.backlog.audioAt(phase.givenSample, quietSamples);
			const samples = bytes.length / bytesPerSample;
			if (samples === 0 || (!all && samples < quietSamples)) return;
			phase.givenSample += samples;
			phase.takes = phase.recognition.write(bytes);
		}
	}

	/** Never rejects. */
	async #read(recognition: Recognition, startSample: number): Promise<void> {
		let why = "the recognition ended";
		try {
			for await (const event of recognition.events)
				this.#onEvent(event, startSample);
		} catch (error) {
			why = error instanceof CodedError ? error.message : String(error);
		}
		if (this.#phase.is !== "open" || this.#phase.recognition !== recognition)
			return; // it was told to end
		this.#listener.onAvailability(false, why);
		void this.#reopen();
	}

	#onEvent(event: SessionEvent, startSample: number): void {
		switch (event.is) {
			case "speech-begin":
				if (this.#open) return; // told before the engine died
				this.#open = true;
				this.#listener.onBegin(this.#utterances + 1);
				return;
			case "partial":
				this.#listener.onUtterance(
					"partial",
					event.utterance,
					this.#utterances + 1,
					startSample,
				);
				return;
			case "final":
				this.#utterances++;
				this.#open = false;
				this.backlog.answered(
					startSample +
						Math.round((event.utterance.endMs * sampleRateHz) / 1000),
				);
				this.#listener.onUtterance(
					"final",
					event.utterance,
					this.#utterances,
					startSample,
				);
				return;
			case "completed":
		}
	}
}

/** Until where the engine has heard what it was given. */
function processedSample({ givenSample, recognition }: Open): number {
	return givenSample - (recognition.unusedBytes ?? 0) / bytesPerSample;
}

function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		signal.addEventListener(
			"abort",
			() => {
				clearTimeout(timer);
				resolve();
			},
			{ once: true },
		);
	});
}
