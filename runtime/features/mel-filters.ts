/**
 * Mel filters, stored sparsely: a filter covers only a few neighbouring bins. Slaney's, as Whisper and NeMo's models were trained on, are triangles evenly
 * spaced on a scale that is linear to 1 kHz and logarithmic above, each scaled to the same area.
 */
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

function melToHz(mel: number): number {
	if (mel < breakMel) return mel * hzPerMel;
	return breakHz * Math.exp(logStep * (mel - breakMel));
}

function hzToMel(hz: number): number {
	if (hz < breakHz) return hz / hzPerMel;
	return breakMel + Math.log(hz / breakHz) / logStep;
}

interface Band {
	readonly lowHz: number;
	readonly highHz: number;
	/** Frequency of a bin. */
	readonly hzOf: (bin: number) => number;
}

/** @param bins of the spectrum that belong to a filter: from 0 on. */
export function slaneyFilters(
	count: number,
	bins: number,
	{ lowHz, highHz, hzOf }: Band,
): MelFilters {
	const low = hzToMel(lowHz);
	const step = (hzToMel(highHz) - low) / (count + 1);
	const edges = Array.from({ length: count + 2 }, (_, i) =>
		melToHz(low + step * i),
	);
	return filtersOf(count, bins, (mel, bin) => {
		const [left, peak, right] = edges.slice(mel, mel + 3) as [
			number,
			number,
			number,
		];
		const hz = hzOf(bin);
		const rising = (hz - left) / (peak - left);
		const falling = (right - hz) / (right - peak);
		return (Math.min(rising, falling) * 2) / (right - left);
	});
}

/** @param weightOf of a bin in a filter; not positive outside of it. */
export function filtersOf(
	count: number,
	bins: number,
	weightOf: (filter: number, bin: number) => number,
): MelFilters {
	const firstBin = new Int32Array(count);
	const offset = new Int32Array(count + 1);
	const weights: number[] = [];
	for (let filter = 0; filter < count; filter++) {
		const ofBins = Array.from({ length: bins }, (_, bin) =>
			weightOf(filter, bin),
		);
		const first = ofBins.findIndex((it) => it > 0);
		const last = ofBins.findLastIndex((it) => it > 0);
		firstBin[filter] = Math.max(0, first);
		weights.push(...ofBins.slice(firstBin[filter], last + 1));
		offset[filter + 1] = weights.length;
	}
	return { count, firstBin, offset, weights: Float64Array.from(weights) };
}
