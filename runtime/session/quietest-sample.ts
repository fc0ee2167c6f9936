/** Where to divide speech without pauses: between words it is quieter than in them. */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { Segment } from "../segmentation/events.js";

const quietSamples = 0.1 * sampleRateHz;
const stepSamples = 0.01 * sampleRateHz;

/** The middle of the quietest tenth of a second. @param from, to in the segment's sample numbers; their middle where less lies between them. */
export function quietestSample(
	{ samples, startSample }: Segment,
	from: number,
	to: number,
): number {
	let quietest = Math.round((from + to) / 2);
	let least = Number.POSITIVE_INFINITY;
	for (let at = from; at + quietSamples <= to; at += stepSamples) {
		let energy = 0;
		const first = at - startSample;
		for (let i = first; i < first + quietSamples; i++)
			energy += (samples[i] ?? 0) ** 2;
		if (energy >= least) continue;
		least = energy;
		quietest = at + quietSamples / 2;
	}
	return quietest;
}
