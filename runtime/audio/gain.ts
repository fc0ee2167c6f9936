/**
 * Amplification that never wraps: above a knee the curve bends and only reaches full scale at infinity. It processes each sample separately, so the
 * chunking of the input has no effect. A gain of 1 leaves every sample in [-1, 1] unchanged, bit for bit.
 */
import assert from "node:assert";

/** Amplitude above which the curve bends: 2.5 dB below full scale. */
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

	/** Samples that would have exceeded full scale without the limiter. */
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

/** Linear up to the knee, then a tanh with the same slope there. */
function bend(sample: number): number {
	const magnitude = Math.abs(sample);
	if (magnitude <= knee) return sample;
	const headroom = 1 - knee;
	return (
		Math.sign(sample) *
		(knee + headroom * Math.tanh((magnitude - knee) / headroom))
	);
}
