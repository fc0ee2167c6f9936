/**
 * The last stage of the intake, the same for every endpoint: samples are checked, counted against the limit, and amplified.
 */

import { CodedError } from "../errors.js";
import { requireFinite } from "./finite.js";
import { Gain } from "./gain.js";
import { sampleRateHz } from "./sample-rate.js";

/** Encoders pad their last frame: a clip of exactly the maximum length must be accepted. */
const toleranceSeconds = 0.2;

export class Conditioner {
	readonly #gain: Gain;
	readonly #durationSecondsMax: number;
	#samplesSeen = 0;

	/** @param durationSecondsMax Infinity where the caller enforces the limit. */
	constructor(gain: number, durationSecondsMax: number) {
		this.#gain = new Gain(gain);
		this.#durationSecondsMax = durationSecondsMax;
	}

	/** At 16 kHz. */
	get samplesSeen(): number {
		return this.#samplesSeen;
	}

	get clippedSamples(): number {
		return this.#gain.clippedSamples;
	}

	/** @param samples mono, 16 kHz; changed in place and returned. @throws CodedError 200005, 200006 */
	accept(samples: Float32Array): Float32Array {
		requireFinite(samples, this.#samplesSeen);
		this.#samplesSeen += samples.length;
		const secondsMax = this.#durationSecondsMax + toleranceSeconds;
		if (this.#samplesSeen > secondsMax * sampleRateHz)
			throw new CodedError(
				"200005",
				`audio must be at most ${this.#durationSecondsMax} seconds long (duration), this is longer`,
			);
		this.#gain.apply(samples);
		return samples;
	}

	/** @throws CodedError 200007 if there was no audio. */
	finish(): void {
		if (this.#samplesSeen === 0) throw new CodedError("200007");
	}
}
