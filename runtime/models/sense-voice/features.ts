/**
 * What SenseVoice hears: Kaldi's filterbank of 16-bit samples, frames stacked at a lower rate (Pundak and Sainath 2016, "Lower Frame Rate Neural Network
 * Acoustic Models"), each number moved and scaled as the model was trained.
 */
import { KaldiFbank } from "../../features/kaldi-fbank.js";
import { ModelFault } from "../model-fault.js";
import type { SenseVoiceShape } from "./shape.js";

export const mels = 80;
const sampleRateHz = 16_000;

export interface StackedFrames {
	/** [count, width] */
	readonly values: Float32Array;
	readonly count: number;
	readonly width: number;
}

export class SenseVoiceFeatures {
	readonly #fbank: KaldiFbank;
	readonly #width: number;
	/** A stack's frames before the one that it is counted by. */
	readonly #before: number;

	constructor(private readonly shape: SenseVoiceShape) {
		this.#width = mels * shape.windowFrames;
		this.#before = Math.floor((shape.windowFrames - 1) / 2);
		const { negativeMean, inverseDeviation } = shape;
		if (
			negativeMean.length !== this.#width ||
			inverseDeviation.length !== this.#width
		)
			throw new ModelFault(
				`means and deviations of ${this.#width} features are wanted, there are ${negativeMean.length} and ${inverseDeviation.length}`,
			);
		this.#fbank = new KaldiFbank({
			mels,
			window: "hamming",
			highHz: sampleRateHz / 2,
			snipEdges: true,
			scale: shape.sixteenBit ? 32_768 : 1,
		});
	}

	/** None where the sound is shorter than a frame. */
	of(samples: Float32Array): StackedFrames {
		const { windowFrames, hopFrames, negativeMean, inverseDeviation } =
			this.shape;
		const width = this.#width;
		const frames = this.#fbank.frameCount(samples.length);
		const plain = this.#fbank.frames(samples, 0, frames);
		const count = Math.ceil(frames / hopFrames);
		const values = new Float32Array(count * width);
		for (let i = 0; i < count; i++)
			for (let k = 0; k < windowFrames; k++) {
				// the first and the last frame stand in where there is none
				const at = i * hopFrames + k - this.#before;
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
