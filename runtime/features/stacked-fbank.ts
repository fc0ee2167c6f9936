/**
 * Features at a lower frame rate (LFR; Pundak and Sainath 2016, "Lower Frame Rate Neural Network Acoustic Models"): Kaldi's filterbank, neighbouring frames
 * stacked into one, each value normalised with the model's mean and deviation.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { FilterbankPort } from "./filterbank-port.js";
import type { Frames } from "./front-end.js";
import { KaldiFbank } from "./kaldi-fbank.js";

export interface StackingOptions {
	/** Values of an unstacked frame. */
	readonly mels: number;
	/** Frames that are stacked into one, and the hop between stacks. */
	readonly windowFrames: number;
	readonly hopFrames: number;
	/** Factor for samples in [-1, 1]. */
	readonly scale: number;
	/** `negativeMean` is added, then `inverseDeviation` multiplied: `mels` x `windowFrames` values each. */
	readonly negativeMean: readonly number[];
	readonly inverseDeviation: readonly number[];
	/** See FbankOptions. */
	readonly dither?: number;
}

export class StackedFbank {
	readonly #fbank: KaldiFbank;
	readonly #options: StackingOptions;

	/** @param port absent: in JavaScript. */
	constructor(options: StackingOptions, port: FilterbankPort | undefined) {
		this.#options = options;
		this.#fbank = new KaldiFbank(
			{
				mels: options.mels,
				window: "hamming",
				highHz: sampleRateHz / 2,
				snipEdges: true,
				scale: options.scale,
				dither: options.dither ?? 0,
			},
			port,
		);
	}

	/** @param samples 16 kHz, [-1, 1]. @returns no frames if the audio is shorter than a frame. */
	of(samples: Float32Array): Frames {
		const { mels, windowFrames, hopFrames } = this.#options;
		const { negativeMean, inverseDeviation } = this.#options;
		const width = mels * windowFrames;
		// frames of a stack before its centre
		const before = Math.floor((windowFrames - 1) / 2);
		const frames = this.#fbank.frameCount(samples.length);
		const plain = this.#fbank.frames(samples, 0, frames);
		const count = Math.ceil(frames / hopFrames);
		const values = new Float32Array(count * width);
		for (let i = 0; i < count; i++)
			for (let k = 0; k < windowFrames; k++) {
				// the first and the last frame are repeated past the edges
				const at = i * hopFrames + k - before;
				const frame = Math.min(Math.max(at, 0), frames - 1);
				for (let mel = 0; mel < mels; mel++) {
					const feature = k * mels + mel;
					values[i * width + feature] =
						((plain[frame * mels + mel] as number) +
							(negativeMean[feature] as number)) *
						(inverseDeviation[feature] as number);
				}
			}
		return { values, count, width };
	}
}
