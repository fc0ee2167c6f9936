/**
 * Amplification that never wraps: above a knee the curve bends and only reaches full scale at infinity. It looks at one sample at a time, so a
 * cut of the input can't be heard. A gain of 1 leaves every sample in [-1, 1] as it came, bit by bit.
 */
import assert from "node:assert";

/** Louder than this the curve bends: 2.5 dB under full scale. */
const knee = 0.75;

export class Gain {
	readonly #factor: number;
	#clippedSamples = 0;

	/** @param factor whole number from 1 to 20. */
	constructor(factor: number) {
		assert(
			Number.isInteger(factor) && factor >= 1 && factor <= 20,
			`gain of ${factor}`,
		);
		this.#factor = factor;
	}

	/** Samples that would have passed full scale without the limiter. */
	get clippedSamples(): number {
		return this.#clippedSamples;
	}

	/** Works in place. */
	apply(samples: Float32Array): void {
		const factor = this.#factor;
		for (let i = 0; i < samples.length; i++) {
			const loud = (samples[i] as number) * factor;
			if (loud > 1 || loud < -1) this.#clippedSamples++;
			samples[i] = factor === 1 ? clamp(loud) : bend(loud);
		}
	}
}

function clamp(sample: number): number {
	return Math.min(1, Math.max(-1, sample));
}

/** Straight up to the knee, then a tanh with the same slope there. */
function bend(sample: number): number {
	const magnitude = Math.abs(sample);
	if (magnitude <= knee) return sample;
	const headroom = 1 - knee;
	return (
		Math.sign(sample) *
		(knee + headroom * Math.tanh((magnitude - knee) / headroom))
	);
}
