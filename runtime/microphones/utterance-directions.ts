/**
 * From where an utterance came: the responses that the array told while it was spoken, summed up. The sum points better than the mean of the directions:
 * a moment that knows little says little.
 */

import { directionCount } from "../audio/array/direction-finder.js";
import { loudestDirection } from "../audio/array/loudest-direction.js";
import { sampleRateHz } from "../audio/sample-rate.js";

/** Longer than any utterance and the time until it is answered. */
const keptSamples = 90 * sampleRateHz;

export class UtteranceDirections {
	#responses: { readonly sample: number; readonly response: Float32Array }[] =
		[];

	/** @param sample until which the response was measured. */
	push(sample: number, response: Float32Array): void {
		this.#responses.push({ sample, response });
		const oldest = sample - keptSamples;
		while ((this.#responses[0]?.sample ?? sample) < oldest)
			this.#responses.shift();
	}

	/** Degrees; undefined where nothing was told meanwhile. */
	azimuthDeg(startSample: number, endSample: number): number | undefined {
		const sum = new Float32Array(directionCount);
		for (const { sample, response } of this.#responses)
			if (sample > startSample && sample <= endSample + toleranceSamples)
				for (let at = 0; at < directionCount; at++)
					sum[at] = (sum[at] as number) + (response[at] as number);
		const found = loudestDirection(sum);
		return found && Math.round(found.azimuthDeg * 10) / 10;
	}
}

/** A response covers the time before it. */
const toleranceSamples = 0.12 * sampleRateHz;
