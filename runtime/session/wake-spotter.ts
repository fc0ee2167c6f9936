/** The keyword spotter behind a wake gate: which audio it is given, and where in the session the wake word is that it found. */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { KeywordSpotter, Spotted } from "../models/keyword-spotter.js";
import type { SampleHistory } from "../segmentation/sample-history.js";
import { endOfWakeWord } from "./wake-cut.js";
import type { WakeEvent } from "./wake-events.js";

/**
 * Audio before a segment that the spotter gets too: the first sound of a call may be quiet, and the encoder finds a sound better that it has heard the silence
 * before. With half as much 4 of 53 calls from a distance were lost.
 */
export const leadSamples = 0.5 * sampleRateHz;

export type FoundWakeWord = Extract<WakeEvent, { is: "wake" }>;

export class WakeSpotter {
	readonly #spotter: KeywordSpotter;
	readonly #history: SampleHistory;
	/** First sample given to the spotter; undefined during silence. */
	#fromSample: number | undefined;

	/** @param history the session's audio: it holds what `begin` refers to. */
	constructor(spotter: KeywordSpotter, history: SampleHistory) {
		this.#spotter = spotter;
		this.#history = history;
	}

	/** A segment is open that the spotter is given. */
	get isActive(): boolean {
		return this.#fromSample !== undefined;
	}

	/** A segment begins: its audio so far is searched. */
	async begin(startSample: number): Promise<FoundWakeWord | undefined> {
		this.#spotter.begin();
		// a segment of the greatest length is cut up to 10 s back; the spotter has processed the first of that
		const from = Math.max(this.#history.start, startSample - leadSamples);
		this.#fromSample = from;
		const samples = this.#history.copy(from, this.#history.end);
		return this.#found(await this.#spotter.accept(samples));
	}

	/** @param samples that follow those in the history. */
	async accept(samples: Float32Array): Promise<FoundWakeWord | undefined> {
		return this.#found(await this.#spotter.accept(samples));
	}

	/** The segment has ended. */
	async end(): Promise<FoundWakeWord | undefined> {
		return this.#found(await this.#spotter.end());
	}

	/** Until the next segment. */
	stop(): void {
		this.#fromSample = undefined;
	}

	#found(spotted: Spotted | undefined): FoundWakeWord | undefined {
		if (!spotted) return undefined;
		const from = this.#fromSample ?? 0;
		const { phrase, confidence } = spotted;
		const endSample = endOfWakeWord(
			this.#history,
			from + spotted.lastVowelSample,
		);
		const startSample = from + spotted.startSample;
		return { is: "wake", phrase, confidence, startSample, endSample };
	}
}
