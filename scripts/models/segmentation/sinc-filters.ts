/**
 * The first layer of SincNet (Ravanelli and Bengio, 2018, arXiv 1808.00158) as asteroid-filterbanks 0.4 computes it (ParamSincFB): band-pass filters of which
 * only the borders were learnt, each as a symmetric filter and as an antisymmetric one.
 */
import {
	badSource,
	type WeightSource,
} from "../../../runtime/models/convert/weights.js";

export const filterTaps = 251;
const sampleRateHz = 16_000;
const lowestHz = 50;
const narrowestHz = 50;
const half = (filterTaps - 1) / 2;

/** @returns [2 * bands, 1, 251]: the symmetric ones first. @throws SourceError when the checkpoint is of another model. */
export function sincFilters(source: WeightSource, name: string): Float32Array {
	const values = (part: string) => source.read(`${name}.${part}`).values;
	const lows = values("low_hz_");
	const widths = values("band_hz_");
	const window = values("window_");
	if (window.length !== half || widths.length !== lows.length)
		throw badSource(`the checkpoint's ${name} is no filterbank of ours`);
	const filters = new Float32Array(2 * lows.length * filterTaps);
	for (const [band, learnt] of lows.entries()) {
		const low = lowestHz + Math.abs(learnt);
		const width = Math.abs(widths[band] as number);
		const high = Math.min(low + narrowestHz + width, sampleRateHz / 2);
		const even = band * filterTaps;
		const odd = (lows.length + band) * filterTaps;
		filters[even + half] = 1;
		for (let i = 0; i < half; i++) {
			const angle = (2 * Math.PI * (i - half)) / sampleRateHz;
			const weight = (window[i] as number) / (angle * (high - low));
			const [atLow, atHigh] = [angle * low, angle * high];
			const symmetric = weight * (Math.sin(atHigh) - Math.sin(atLow));
			const antisymmetric = weight * (Math.cos(atLow) - Math.cos(atHigh));
			filters[even + i] = symmetric;
			filters[even + filterTaps - 1 - i] = symmetric;
			filters[odd + i] = antisymmetric;
			filters[odd + filterTaps - 1 - i] = -antisymmetric;
		}
	}
	return filters;
}
