/**
 * Kaldi's log-mel filterbank, as zipformer, SenseVoice and NeMo's models use it (kaldi-native-fbank's numbers, without dither): 25 ms frames every 10 ms,
 * DC offset removed, pre-emphasis, window, power spectrum of 512, triangles on a mel scale, natural logarithm.
 *
 * INVARIANT: a frame depends on its own samples only: any split of the audio gives the same frames.
 */

import { Fft } from "../audio/array/fft.js";
import { sampleRateHz } from "../audio/sample-rate.js";
import { hzToMel, melToHz } from "./mel-filters.js";

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
const hopSamples = 160;
const fftSamples = 512;
const bins = fftSamples / 2;
const lowHzUsual = 20;
const preEmphasis = 0.97;
/** Lower bound of energies: float32's epsilon. */
const energyMin = 1.1920929e-7;

interface Triangle {
	readonly firstBin: number;
	readonly weights: Float64Array;
}

export class KaldiFbank {
	readonly mels: number;
	readonly #snipEdges: boolean;
	readonly #scale: number;
	readonly #removeOffset: boolean;
	readonly #frameSamples: number;
	readonly #window: Float64Array;
	readonly #triangles: readonly Triangle[];
	/** Energy added to each channel. */
	readonly #noise: Float64Array;
	readonly #fft = new Fft(fftSamples);
	/** Two frames are transformed at once: one as the real part, one as the imaginary part. */
	readonly #re = new Float64Array(fftSamples);
	readonly #im = new Float64Array(fftSamples);
	readonly #power = new Float64Array(bins);

	constructor(options: FbankOptions) {
		const { mels, window, snipEdges, scale, removeOffset = true } = options;
		this.mels = mels;
		this.#snipEdges = snipEdges;
		this.#scale = scale;
		this.#removeOffset = removeOffset;
		this.#frameSamples = options.frameSamples ?? frameSamplesUsual;
		this.#window = windowOf(window, this.#frameSamples);
		this.#triangles =
			options.scaleOfMels === "slaney"
				? slaneyTriangles(options)
				: kaldiTriangles(options);
		this.#noise = noiseEnergies(
			this.#triangles,
			this.#window,
			options.dither ?? 0,
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
		const { mels } = this;
		const found = new Float32Array(count * mels);
		for (let i = 0; i < count; i += 2) {
			this.#load(samples, first + i, this.#re);
			if (i + 1 < count) this.#load(samples, first + i + 1, this.#im);
			else this.#im.fill(0);
			this.#fft.transform(this.#re, this.#im);
			this.#powers(1);
			this.#energies(found, i * mels);
			if (i + 1 === count) break;
			this.#powers(-1);
			this.#energies(found, (i + 1) * mels);
		}
		return found;
	}

	#firstSample(frame: number): number {
		const centred = (hopSamples - this.#frameSamples) / 2;
		return frame * hopSamples + (this.#snipEdges ? 0 : centred);
	}

	#load(samples: Float32Array, frame: number, into: Float64Array): void {
		const start = this.#firstSample(frame);
		const frameSamples = this.#frameSamples;
		let sum = 0;
		for (let i = 0; i < frameSamples; i++) {
			const value =
				(samples[mirrored(start + i, samples.length)] as number) * this.#scale;
			into[i] = value;
			sum += value;
		}
		const mean = this.#removeOffset ? sum / frameSamples : 0;
		let before = (into[0] as number) - mean;
		for (let i = 0; i < frameSamples; i++) {
			const value = (into[i] as number) - mean;
			into[i] = (value - preEmphasis * before) * (this.#window[i] as number);
			before = value;
		}
		into.fill(0, frameSamples);
	}

	/** Power spectrum of the frame in the real part (1) or the imaginary part (-1), separated by symmetry. */
	#powers(part: 1 | -1): void {
		for (let k = 0; k < bins; k++) {
			const mirror = (fftSamples - k) % fftSamples;
			const re = (this.#re[k] as number) + part * (this.#re[mirror] as number);
			const im = (this.#im[k] as number) - part * (this.#im[mirror] as number);
			this.#power[k] = (re * re + im * im) / 4;
		}
	}

	#energies(into: Float32Array, at: number): void {
		this.#triangles.forEach(({ firstBin, weights }, mel) => {
			let energy = this.#noise[mel] as number;
			for (let i = 0; i < weights.length; i++)
				energy +=
					(weights[i] as number) * (this.#power[firstBin + i] as number);
			into[at + mel] = Math.log(Math.max(energy, energyMin));
		});
	}
}

/** A place outside the audio is mirrored at its edge. */
function mirrored(at: number, length: number): number {
	if (at < 0) return Math.min(-at - 1, length - 1);
	return at < length ? at : Math.max(0, 2 * length - 1 - at);
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
}: Band): Triangle[] {
	const low = melOf(lowHz);
	const step = (melOf(highHz) - low) / (mels + 1);
	return Array.from({ length: mels }, (_, mel) =>
		triangleOf((bin) => {
			const at = (melOf((bin * sampleRateHz) / fftSamples) - low) / step;
			return Math.max(0, 1 - Math.abs(at - (mel + 1)));
		}),
	);
}

/** Triangles whose edges are even on Slaney's mel scale and whose sides are straight in hertz, of equal area. */
function slaneyTriangles({
	mels,
	lowHz = lowHzUsual,
	highHz,
}: Band): Triangle[] {
	const low = hzToMel(lowHz);
	const step = (hzToMel(highHz) - low) / (mels + 1);
	const edge = (i: number) => melToHz(low + step * i);
	return Array.from({ length: mels }, (_, mel) => {
		const left = edge(mel);
		const peak = edge(mel + 1);
		const right = edge(mel + 2);
		return triangleOf((bin) => {
			const hz = (bin * sampleRateHz) / fftSamples;
			const rising = (hz - left) / (peak - left);
			const falling = (right - hz) / (right - peak);
			return (Math.max(0, Math.min(rising, falling)) * 2) / (right - left);
		});
	});
}

function triangleOf(weightOf: (bin: number) => number): Triangle {
	const weights = Array.from({ length: bins }, (_, bin) => weightOf(bin));
	const first = weights.findIndex((it) => it > 0);
	const last = weights.findLastIndex((it) => it > 0);
	return {
		firstBin: Math.max(0, first),
		weights: Float64Array.from(weights.slice(first, last + 1)),
	};
}

/** The energy that white noise has on average in each channel: its spectrum is flat until the pre-emphasis. */
function noiseEnergies(
	triangles: readonly Triangle[],
	window: Float64Array,
	deviation: number,
): Float64Array {
	const energy = window.reduce((sum, it) => sum + it * it, 0) * deviation ** 2;
	return Float64Array.from(triangles, ({ firstBin, weights }) =>
		weights.reduce((sum, weight, i) => {
			const angle = (2 * Math.PI * (firstBin + i)) / fftSamples;
			const gain = 1 + preEmphasis ** 2 - 2 * preEmphasis * Math.cos(angle);
			return sum + weight * gain * energy;
		}, 0),
	);
}

function melOf(hertz: number): number {
	return 1127 * Math.log(1 + hertz / 700);
}
