/**
 * The events of recognitions that follow each other, emitted as those of a single one: utterances are numbered from 1, and one whose recognition died is
 * completed by the next.
 */
import type { AudioBacklog } from "./audio-backlog.js";
import type { SessionEvent, Utterance } from "./events.js";

export type WakeWordEvent = Extract<SessionEvent, { is: "wake" }>;

export interface StandingListener {
	/** A wake word was said. @param startSample of the recognition that emitted it. */
	onWake(wake: WakeWordEvent, startSample: number): void;
	/** What followed a wake word has ended. */
	onSleep(): void;
	/** An utterance begins. */
	onBegin(index: number): void;
	/** @param startSample of the recognition that emitted it: the utterance's times are relative to it. */
	onUtterance(
		is: "partial" | "final",
		utterance: Utterance,
		index: number,
		startSample: number,
	): void;
	/** Whether the audio is being recognized now. */
	onAvailability(isRecognizing: boolean, why?: string): void;
}

/** What was emitted of a recognition and has not ended yet. One that replaces a recognition that died goes on with it. */
export interface Unended {
	/** Index of the utterance whose begin was emitted, its final was not. */
	utterance: number | undefined;
	/** Its speech has begun in this recognition, too; where the audio of it was lost, it never does. */
	isSpeech: boolean;
	/** A wake word was emitted, the end of what followed was not. */
	awake: boolean;
}

export class ContinuedEvents {
	readonly #listener: StandingListener;
	readonly #backlog: AudioBacklog;
	/** Index of the newest utterance. */
	#utterances = 0;

	/** @param backlog audio with a final is removed from it. */
	constructor(listener: StandingListener, backlog: AudioBacklog) {
		this.#listener = listener;
		this.#backlog = backlog;
	}

	/**
	 * @param startSample of the recognition that emitted it.
	 * @param unended of that recognition; updated.
	 */
	accept(event: SessionEvent, startSample: number, unended: Unended): void {
		switch (event.is) {
			case "wake":
				unended.awake = true;
				// a recognition that goes on with it is awake from its first sample
				this.#dropUntil(startSample, event.endMs);
				this.#listener.onWake(event, startSample);
				return;
			case "sleep":
				unended.awake = false;
				unended.utterance = undefined; // one that was lost gets no final any more
				this.#listener.onSleep();
				return;
			case "speech-begin":
				unended.isSpeech = true;
				if (unended.utterance !== undefined) return; // emitted before the engine died
				this.#listener.onBegin(this.#indexOf(unended));
				return;
			case "partial":
				unended.isSpeech = true;
				this.#listener.onUtterance(
					"partial",
					inItsLanguage(event),
					this.#indexOf(unended),
					startSample,
				);
				return;
			case "final": {
				const index = this.#indexOf(unended);
				unended.utterance = undefined;
				unended.isSpeech = false;
				this.#dropUntil(startSample, event.utterance.endMs);
				this.#listener.onUtterance(
					"final",
					inItsLanguage(event),
					index,
					startSample,
				);
				return;
			}
			case "completed":
		}
	}

	/** @param startSample of the recognition. @param ms in it. */
	#dropUntil(startSample: number, ms: number): void {
		const samples = Math.round((ms * this.#backlog.format.rateHz) / 1000);
		this.#backlog.dropRecognized(startSample + samples, startSample);
	}

	/** Of the utterance that is open, which begins here at the latest. */
	#indexOf(unended: Unended): number {
		unended.utterance ??= ++this.#utterances;
		return unended.utterance;
	}
}

/** Whoever listens knows no language but that of the request: one that was identified goes with each utterance. */
function inItsLanguage({
	utterance,
	language,
}: Extract<SessionEvent, { is: "partial" | "final" }>): Utterance {
	return language && !utterance.spokenIn
		? { ...utterance, spokenIn: language }
		: utterance;
}

/** What is said next follows a wake word. */
export function isAwake({
	awake,
	utterance,
}: Pick<Unended, "awake" | "utterance">): boolean {
	return awake || utterance !== undefined;
}
