/**
 * The filterbank port: frames of samples to log-mel energies, the inner work of all spectral features. `drivers/onnx` has it in its native library;
 * filterbank.ts is its definition in JavaScript, which runs where there is no native one, and which that is compared with.
 */
import assert from "node:assert";
import { sampleRateHz } from "../audio/sample-rate.js";
import type { MelFilters } from "./mel-filters.js";

/** Samples from one frame to the next: 10 ms. */
export const hopSamples = 160;
export const hopSeconds = hopSamples / sampleRateHz;
export const hopsPerSecond = sampleRateHz / hopSamples;

/** What is done with each frame, in this order. Everything is computed in 64 bits and stored in 32. */
export interface FilterbankPlan {
	/** The frame's mean is subtracted. */
	readonly removeOffset: boolean;
	/** This part of the sample before is subtracted from each; the first one has itself before it. 0: none. */
	readonly preEmphasis: number;
	/** Factor for each sample of a frame, an even number of them; samples beyond it, up to `points`, are zero. */
	readonly window: Float64Array;
	/** Of the discrete Fourier transform whose power spectrum is taken: 400 or 512. */
	readonly points: 400 | 512;
	readonly filters: MelFilters;
	/** Added to the energy of each filter: [filters.count] */
	readonly noise: Float64Array;
	/** Energies below it count as this much; above 0. */
	readonly energyMin: number;
	readonly logarithm: "natural" | "decimal";
}

export interface Filterbank {
	/**
	 * Frames that begin every `hopSamples` from the first sample on. A frame depends on its own samples only; values of one with a sample that is not finite are not finite.
	 * @param samples all of the frames' samples, or more. @param into the first count x mels values are written: [count, mels]
	 * @throws AssertionError where samples or room are missing
	 */
	compute(samples: Float32Array, count: number, into: Float32Array): void;
}

export interface FilterbankPort {
	/** @returns undefined where this processor has no native way to compute it. */
	open(plan: FilterbankPlan): Filterbank | undefined;
}

/** @throws AssertionError where the samples do not have so many frames, or these no room. */
export function expectRoom(
	{ window, filters }: FilterbankPlan,
	samples: Float32Array,
	count: number,
	into: Float32Array,
): void {
	assert(count >= 0 && Number.isInteger(count), `${count} frames`);
	const needed = count === 0 ? 0 : (count - 1) * hopSamples + window.length;
	assert(samples.length >= needed, `${samples.length} samples of ${needed}`);
	const room = count * filters.count;
	assert(into.length >= room, `room for ${into.length} values of ${room}`);
}
