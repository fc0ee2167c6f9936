/**
 * When the next partial of an open segment is due.
 *
 * INVARIANT: after a partial, a multiple of its cost must arrive as audio before the next: partials take a bounded share of the recognizer, and none is queued.
 *
 * Pure: time is counted in samples, costs are passed in by the owner of the clock.
 */
import { sampleRateHz } from "../audio/sample-rate.js";

/** Speech before the first partial, with the quiet onset of its first sound: a syllable. */
const firstSamples = 0.45 * sampleRateHz;
/** Words do not arrive faster than this. */
const strideMsDefault = 240;
/** While nothing is shown of `earlySamplesMax` of speech, partials follow each other closely: a speaker waits for the first word. */
const strideSamplesEarly = 0.04 * sampleRateHz;
const earlySamplesMax = 2.5 * sampleRateHz;
/** Not with many speakers or on a slow device: finals must not wait. */
const hurryCostSamplesMax = 0.2 * sampleRateHz;
/** Audio per second of decoding before the next partial, */
const strideTimesCost = 2;
/** and at first. */
const strideTimesCostEarly = 1;
/** Partials further apart than this are shown without waiting for the next one to agree. */
const rareSamples = 0.5 * sampleRateHz;

export class PartialPace {
	readonly #beginSample: number;
	readonly #strideSamplesMin: number;
	#strideSamples: number;
	/** Where the newest partial's samples ended. */
	#decodedUntil: number;

	/** @param beginSample of the speech. @param strideMs minimum amount of audio between two partials. */
	constructor(beginSample: number, strideMs = strideMsDefault) {
		this.#beginSample = beginSample;
		this.#strideSamplesMin = (strideMs / 1000) * sampleRateHz;
		this.#strideSamples = this.#strideSamplesMin;
		this.#decodedUntil = beginSample + firstSamples - this.#strideSamples;
	}

	/** @param sample how much audio has arrived. */
	isDue(sample: number): boolean {
		return sample - this.#decodedUntil >= this.#strideSamples;
	}

	/** The next partial will not follow soon. */
	get isRare(): boolean {
		return this.#strideSamples > rareSamples;
	}

	/** A partial decodes the samples up to here. */
	begin(endSample: number): void {
		this.#decodedUntil = endSample;
	}

	/** That partial has ended, perhaps without a result. @param hasShown there is text of the segment already. */
	end(costSeconds: number, hasShown: boolean): void {
		const costSamples = costSeconds * sampleRateHz;
		const spoken = this.#decodedUntil - this.#beginSample;
		// sound that gave no text for longer is hardly speech
		const isEarly = !hasShown && spoken < earlySamplesMax;
		const timesCost = isEarly ? strideTimesCostEarly : strideTimesCost;
		this.#strideSamples =
			isEarly && costSamples < hurryCostSamplesMax
				? Math.max(strideSamplesEarly, costSamples)
				: Math.max(this.#strideSamplesMin, timesCost * costSamples);
	}
}
