/**
 * Kaldi's log-mel filterbank, as zipformer and SenseVoice were trained on (kaldi-native-fbank's numbers, without dither): 25 ms frames every 10 ms,
 * DC offset removed, pre-emphasis, window, power spectrum of 512, triangles on the mel scale, natural logarithm.
 *
 * INVARIANT: a frame depends on its own samples only: any split of the audio gives the same frames.
 */

import { Fft } from "../audio/array/fft.js";
import { sampleRateHz } from "../audio/sample-rate.js";

export interface FbankOptions {
	readonly mels: number;
	readonly window: "povey" | "hamming";
	/** Upper end of the highest triangle. */
	readonly highHz: number;
	/** Only frames that are entirely inside the audio; otherwise the audio is mirrored at its beginning, and frames are centred. */
	readonly snipEdges: boolean;
	/** Factor for samples: 32768 where a model was trained on 16-bit values. */
	readonly scale: number;
}

const frameSamples = 400;
const hopSamples = 160;
const fftSamples = 512;
const bins = fftSamples / 2;
const lowHz = 20;
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
	readonly #window: Float64Array;
	readonly #triangles: readonly Triangle[];
	readonly #fft = new Fft(fftSamples);
	/** Two frames are transformed at once: one as the real part, one as the imaginary part. */
	readonly #re = new Float64Array(fftSamples);
	readonly #im = new Float64Array(fftSamples);
	readonly #power = new Float64Array(bins);

	constructor({ mels, window, highHz, snipEdges, scale }: FbankOptions) {
		this.mels = mels;
		this.#snipEdges = snipEdges;
		this.#scale = scale;
		this.#window = windowOf(window);
		this.#triangles = trianglesOf(mels, highHz);
	}

	/** Number of frames whose samples are all available. */
	frameCount(samples: number): number {
		const behindFirst = samples - frameSamples - this.#firstSample(0);
		return behindFirst < 0 ? 0 : Math.floor(behindFirst / hopSamples) + 1;
	}

	/**
	 * @param samples mono, 16 kHz, from the beginning of the audio, including all samples of the frames.
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
		const centred = (hopSamples - frameSamples) / 2;
		return frame * hopSamples + (this.#snipEdges ? 0 : centred);
	}

	#load(samples: Float32Array, frame: number, into: Float64Array): void {
		const start = this.#firstSample(frame);
		let sum = 0;
		for (let i = 0; i < frameSamples; i++) {
			const at = start + i;
			const value = (samples[at < 0 ? -at - 1 : at] as number) * this.#scale;
			into[i] = value;
			sum += value;
		}
		const mean = sum / frameSamples;
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
			let energy = 0;
			for (let i = 0; i < weights.length; i++)
				energy +=
					(weights[i] as number) * (this.#power[firstBin + i] as number);
			into[at + mel] = Math.log(Math.max(energy, energyMin));
		});
	}
}

/** Symmetric; the Povey window is a Hann window to the power of 0.85. */
function windowOf(name: FbankOptions["window"]): Float64Array {
	return Float64Array.from({ length: frameSamples }, (_, i) => {
		const cosine = Math.cos((2 * Math.PI * i) / (frameSamples - 1));
		return name === "povey"
			? (0.5 - 0.5 * cosine) ** 0.85
			: 0.54 - 0.46 * cosine;
	});
}

/** Triangles of equal width on the mel scale; the highest bin belongs to none. */
function trianglesOf(mels: number, highHz: number): Triangle[] {
	const low = melOf(lowHz);
	const step = (melOf(highHz) - low) / (mels + 1);
	return Array.from({ length: mels }, (_, mel) => {
		const weightOf = (bin: number) => {
			const at = (melOf((bin * sampleRateHz) / fftSamples) - low) / step;
			return Math.max(0, 1 - Math.abs(at - (mel + 1)));
		};
		const weights = Array.from({ length: bins }, (_, bin) => weightOf(bin));
		const firstBin = Math.max(
			0,
			weights.findIndex((it) => it > 0),
		);
		const last = weights.findLastIndex((it) => it > 0);
		return {
			firstBin,
			weights: Float64Array.from(weights.slice(firstBin, last + 1)),
		};
	});
}

function melOf(hertz: number): number {
	return 1127 * Math.log(1 + hertz / 700);
}
