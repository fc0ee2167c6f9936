/**
 * Slaney's mel filters, as Whisper was trained on: triangles evenly spaced on a scale that is linear to 1 kHz and logarithmic above, each scaled
 * to the same area. Stored sparsely: a filter covers only a few neighbouring bins.
 */
import { binCount, frameSize } from "./real-fft.js";

export type MelFilters = {
	readonly count: number;
	/** First bin of each filter. */
	readonly firstBin: Int32Array;
	/** Where each filter's weights begin in `weights`; [count + 1]. */
	readonly offset: Int32Array;
	readonly weights: Float64Array;
};

const hzPerMel = 200 / 3; // below 1 kHz
const breakHz = 1000;
const breakMel = breakHz / hzPerMel;
const logStep = Math.log(6.4) / 27;

export function melToHz(mel: number): number {
	if (mel < breakMel) return mel * hzPerMel;
	return breakHz * Math.exp(logStep * (mel - breakMel));
}

export function hzToMel(hz: number): number {
	if (hz < breakHz) return hz / hzPerMel;
	return breakMel + Math.log(hz / breakHz) / logStep;
}

/** @param count 80, or 128 for large-v3. */
export function melFilters(count: number, sampleRateHz: number): MelFilters {
	const melMax = hzToMel(sampleRateHz / 2);
	const edgeHz = (i: number) => melToHz((melMax * i) / (count + 1));
	const firstBin = new Int32Array(count);
	const offset = new Int32Array(count + 1);
	const weights: number[] = [];
	for (let m = 0; m < count; m++) {
		const low = edgeHz(m);
		const peak = edgeHz(m + 1);
		const high = edgeHz(m + 2);
		firstBin[m] = binCount;
		for (let bin = 0; bin < binCount; bin++) {
			const hz = (bin * sampleRateHz) / frameSize;
			const rising = (hz - low) / (peak - low);
			const falling = (high - hz) / (high - peak);
			const weight = Math.min(rising, falling);
			if (weight <= 0) continue;
			firstBin[m] = Math.min(firstBin[m] as number, bin);
			weights.push((weight * 2) / (high - low));
		}
		offset[m + 1] = weights.length;
	}
	return { count, firstBin, offset, weights: Float64Array.from(weights) };
}
