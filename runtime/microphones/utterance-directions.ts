/**
 * The direction of an utterance: the sum of the array's responses while it was spoken. The sum is more accurate than the mean of the directions:
 * a response with little information has little weight.
 */

import { directionCount } from "../audio/array/direction-finder.js";
import { loudestDirection } from "../audio/array/loudest-direction.js";
import { sampleRateHz } from "../audio/sample-rate.js";

/** Longer than any utterance and the wait for its final. */
const keptSamples = 90 * sampleRateHz;

export class UtteranceDirections {
	#responses: { readonly sample: number; readonly response: Float32Array }[] =
		[];

	/** @param sample end of the audio that the response was measured on. */
	push(sample: number, response: Float32Array): void {
		this.#responses.push({ sample, response });
		const oldest = sample - keptSamples;
		while ((this.#responses[0]?.sample ?? sample) < oldest)
			this.#responses.shift();
	}

	/** Degrees; undefined if there were no responses in the range. */
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

/** A response covers the audio before it. */
const toleranceSamples = 0.12 * sampleRateHz;
