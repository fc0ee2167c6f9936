/**
 * Kaldi's log-mel filterbank, as zipformer, SenseVoice and NeMo's models use it (kaldi-native-fbank's numbers, without dither): 25 ms frames every 10 ms,
 * DC offset removed, pre-emphasis, window, power spectrum of 512, triangles on a mel scale, natural logarithm.
 *
 * INVARIANT: a frame depends on its own samples only: any split of the audio gives the same frames.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import { openFilterbank } from "./filterbank.js";
import {
	type Filterbank,
	type FilterbankPort,
	hopSamples,
} from "./filterbank-port.js";
import { filtersOf, type MelFilters, slaneyFilters } from "./mel-filters.js";

export interface FbankOptions {
	readonly mels: number;
	readonly window: "povey" | "hamming" | "hann";
	/** Lower end of the lowest triangle. Default: 20. */
	readonly lowHz?: number;
	/** Upper end of the highest triangle. */
	readonly highHz: number;
	/** `slaney`: the scale and equal areas of librosa, which NeMo uses. Default: Kaldi's. */
	readonly scaleOfMels?: "kaldi" | "slaney";
	/** Default: true. */
	readonly removeOffset?: boolean;
	/**
	 * Standard deviation of the noise that models were trained with, after scaling (Kaldi's dither). Its expected energy is added instead of noise, so that
	 * digital silence looks as it did in training and the same audio always gives the same features. Default: 0.
	 */
	readonly dither?: number;
	/** Samples of a frame, at most 512. Default: 400, which are 25 ms. */
	readonly frameSamples?: number;
	/** Only frames that are entirely inside the audio; otherwise the audio is mirrored at its beginning, and frames are centred. */
	readonly snipEdges: boolean;
	/** Factor for samples: 32768 where a model was trained on 16-bit values. */
	readonly scale: number;
}

const frameSamplesUsual = 400;
const points = 512;
const bins = points / 2;
const lowHzUsual = 20;
const preEmphasis = 0.97;
/** Lower bound of energies: float32's epsilon. */
const energyMin = 1.1920929e-7;

export class KaldiFbank {
	readonly mels: number;
	readonly #snipEdges: boolean;
	readonly #frameSamples: number;
	readonly #filterbank: Filterbank;

	/** @param port absent: in JavaScript. */
	constructor(options: FbankOptions, port: FilterbankPort | undefined) {
		const { mels, scale, snipEdges, removeOffset = true } = options;
		const { frameSamples = frameSamplesUsual, dither = 0 } = options;
		this.mels = mels;
		this.#snipEdges = snipEdges;
		this.#frameSamples = frameSamples;
		const window = windowOf(options.window, frameSamples);
		const filters =
			options.scaleOfMels === "slaney"
				? slaneyTriangles(options)
				: kaldiTriangles(options);
		this.#filterbank = openFilterbank(
			{
				removeOffset,
				preEmphasis,
				points,
				filters,
				energyMin,
				window: window.map((it) => it * scale),
				noise: noiseEnergies(filters, window, dither),
				logarithm: "natural",
			},
			port,
		);
	}

	/** Number of frames of audio that has ended: where edges are not snipped, the last ones are mirrored at its end. */
	frameCountAtEnd(samples: number): number {
		if (this.#snipEdges) return this.frameCount(samples);
		return Math.floor((samples + hopSamples / 2) / hopSamples);
	}

	/** Number of frames whose samples are all available. */
	frameCount(samples: number): number {
		const behindFirst = samples - this.#frameSamples - this.#firstSample(0);
		return behindFirst < 0 ? 0 : Math.floor(behindFirst / hopSamples) + 1;
	}

	/**
	 * @param samples mono, 16 kHz, from the beginning of the audio; mirrored where a frame lacks some.
	 * @returns [count, mels] of the frames from `first` on.
	 */
	frames(samples: Float32Array, first: number, count: number): Float32Array {
		const found = new Float32Array(count * this.mels);
		if (count === 0) return found;
		const start = this.#firstSample(first);
		const end = this.#firstSample(first + count - 1) + this.#frameSamples;
		const inside = start >= 0 && end <= samples.length;
		this.#filterbank.compute(
			inside ? samples.subarray(start, end) : mirrored(samples, start, end),
			count,
			found,
		);
		return found;
	}

	#firstSample(frame: number): number {
		const centred = (hopSamples - this.#frameSamples) / 2;
		return frame * hopSamples + (this.#snipEdges ? 0 : centred);
	}
}

/** From `start` to `end`, where a place outside the audio is mirrored at its edge. @param samples not empty */
function mirrored(
	samples: Float32Array,
	start: number,
	end: number,
): Float32Array {
	const { length } = samples;
	const found = new Float32Array(end - start);
	const from = Math.max(0, start);
	const to = Math.min(length, end);
	if (to > from) found.set(samples.subarray(from, to), from - start);
	for (let at = start; at < Math.min(0, end); at++)
		found[at - start] = samples[Math.min(-at - 1, length - 1)] as number;
	for (let at = Math.max(length, start); at < end; at++)
		found[at - start] = samples[Math.max(0, 2 * length - 1 - at)] as number;
	return found;
}

/** The Povey window is a Hann window to the power of 0.85; these two are symmetric, `hann` is periodic, as PyTorch's. */
function windowOf(
	name: FbankOptions["window"],
	frameSamples: number,
): Float64Array {
	const period = name === "hann" ? frameSamples : frameSamples - 1;
	return Float64Array.from({ length: frameSamples }, (_, i) => {
		const cosine = Math.cos((2 * Math.PI * i) / period);
		if (name === "hamming") return 0.54 - 0.46 * cosine;
		const hann = 0.5 - 0.5 * cosine;
		return name === "povey" ? hann ** 0.85 : hann;
	});
}

type Band = Pick<FbankOptions, "mels" | "lowHz" | "highHz">;

/** Triangles of equal width on the mel scale; the highest bin belongs to none. */
function kaldiTriangles({
	mels,
	lowHz = lowHzUsual,
	highHz,
}: Band): MelFilters {
	const low = melOf(lowHz);
	const step = (melOf(highHz) - low) / (mels + 1);
	return filtersOf(mels, bins, (mel, bin) => {
		const at = (melOf(hzOf(bin)) - low) / step;
		return 1 - Math.abs(at - (mel + 1));
	});
}

/** Triangles whose edges are even on Slaney's mel scale and whose sides are straight in hertz, of equal area. */
function slaneyTriangles({
	mels,
	lowHz = lowHzUsual,
	highHz,
}: Band): MelFilters {
	return slaneyFilters(mels, bins, { lowHz, highHz, hzOf });
}

/** The energy that white noise has on average in each channel: its spectrum is flat until the pre-emphasis. */
function noiseEnergies(
	{ count, firstBin, offset, weights }: MelFilters,
	window: Float64Array,
	deviation: number,
): Float64Array {
	const energy = window.reduce((sum, it) => sum + it * it, 0) * deviation ** 2;
	return Float64Array.from({ length: count }, (_, mel) => {
		const first = firstBin[mel] as number;
		return weights
			.subarray(offset[mel], offset[mel + 1])
			.reduce((sum, weight, i) => {
				const angle = (2 * Math.PI * (first + i)) / points;
				const gain = 1 + preEmphasis ** 2 - 2 * preEmphasis * Math.cos(angle);
				return sum + weight * gain * energy;
			}, 0);
	});
}

function hzOf(bin: number): number {
	return (bin * sampleRateHz) / points;
}

function melOf(hertz: number): number {
	return 1127 * Math.log(1 + hertz / 700);
}
