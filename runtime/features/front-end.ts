/**
 * Features of whole segments, as the models of each toolkit were trained on and sherpa-onnx computes them (its offline-recognizer-*-impl.h): which filterbank,
 * and how its values are normalised.
 */
import type { FilterbankPort } from "./filterbank-port.js";
import { type FbankOptions, KaldiFbank } from "./kaldi-fbank.js";

export interface FrontEndOptions {
	readonly toolkit: Toolkit;
	readonly mels: number;
	/** Of each mel channel, over the segment; or with the model's own values. */
	readonly normalization: "none" | "per-feature" | MeanAndDeviation;
}

export interface MeanAndDeviation {
	/** `mean` is subtracted, then `inverseDeviation` multiplied: one value for each mel channel. */
	readonly mean: readonly number[];
	readonly inverseDeviation: readonly number[];
}

export interface Frames {
	/** [count, width] */
	readonly values: Float32Array;
	readonly count: number;
	readonly width: number;
}

/** lhotse's features end 400 Hz below half the sample rate. */
const icefall = {
	window: "povey",
	highHz: 7600,
	snipEdges: false,
	scale: 1,
} as const satisfies Omit<FbankOptions, "mels">;

/** What icefall trains on, for audio that comes in pieces. */
export function icefallFbank(
	mels: number,
	filterbank: FilterbankPort | undefined,
): KaldiFbank {
	return new KaldiFbank({ ...icefall, mels }, filterbank);
}

/** Samples of 16 bits, with the noise that Kaldi adds to them. */
export const sixteenBit = { scale: 32_768, dither: 1 } as const;

const filterbanks = {
	icefall,
	wenet: { ...icefall, ...sixteenBit },
	firered: { ...icefall, highHz: 8000, snipEdges: true, ...sixteenBit },
	"nemo-ctc": {
		window: "hann",
		lowHz: 0,
		highHz: 8000,
		snipEdges: false,
		scale: 1,
		scaleOfMels: "slaney",
		removeOffset: false,
	},
	// sherpa-onnx gives NeMo's transducers another window and band than its CTC models, and its published figures are of these
	"nemo-transducer": {
		...icefall,
		lowHz: 0,
		scaleOfMels: "slaney",
		removeOffset: false,
	},
	// 31.25 ms; sherpa-onnx asks for no pre-emphasis here, but applies it
	dolphin: {
		window: "hann",
		lowHz: 0,
		highHz: 8000,
		snipEdges: false,
		scale: 1,
		scaleOfMels: "slaney",
		removeOffset: false,
		frameSamples: 500,
	},
} as const satisfies Readonly<Record<string, Omit<FbankOptions, "mels">>>;

export type Toolkit = keyof typeof filterbanks;
export const toolkits = Object.keys(filterbanks) as Toolkit[];

/** Added to a deviation, so that a constant channel does not divide by zero (NeMo's). */
const deviationMin = 1e-5;

export class FrontEnd {
	readonly #fbank: KaldiFbank;
	readonly #normalization: FrontEndOptions["normalization"];

	/** @param port absent: in JavaScript. */
	constructor(
		{ toolkit, mels, normalization }: FrontEndOptions,
		port: FilterbankPort | undefined,
	) {
		this.#fbank = new KaldiFbank({ ...filterbanks[toolkit], mels }, port);
		this.#normalization = normalization;
	}

	/** @param samples 16 kHz, [-1, 1], the whole segment. @returns no frames where it is shorter than one. */
	of(samples: Float32Array): Frames {
		const width = this.#fbank.mels;
		const count = this.#fbank.frameCountAtEnd(samples.length);
		const values = this.#fbank.frames(samples, 0, count);
		if (this.#normalization === "per-feature") normalizeChannels(values, width);
		else if (this.#normalization !== "none")
			applyMeanAndDeviation(values, this.#normalization);
		return { values, count, width };
	}
}

/** Each channel to mean 0 and deviation 1. @param values [frames, width]; changed. */
function normalizeChannels(values: Float32Array, width: number): void {
	const count = values.length / width;
	for (let channel = 0; channel < width; channel++) {
		let sum = 0;
		let squares = 0;
		for (let i = channel; i < values.length; i += width) {
			const value = values[i] as number;
			sum += value;
			squares += value * value;
		}
		const mean = sum / count;
		const variance = Math.max(0, squares / count - mean * mean);
		const factor = 1 / (Math.sqrt(variance) + deviationMin);
		for (let i = channel; i < values.length; i += width)
			values[i] = ((values[i] as number) - mean) * factor;
	}
}

function applyMeanAndDeviation(
	values: Float32Array,
	{ mean, inverseDeviation }: MeanAndDeviation,
): void {
	const width = mean.length;
	for (let i = 0; i < values.length; i++)
		values[i] =
			((values[i] as number) - (mean[i % width] as number)) *
			(inverseDeviation[i % width] as number);
}

/** [count, width] to [width, count], as NeMo's graphs take features. */
export function channelsFirst({ values, count, width }: Frames): Float32Array {
	const turned = new Float32Array(values.length);
	for (let i = 0; i < count; i++)
		for (let k = 0; k < width; k++)
			turned[k * count + i] = values[i * width + k] as number;
	return turned;
}
