/**
 * Separates two interleaved channels. Pieces may be split anywhere, even inside a pair.
 */
import { ChannelCutter } from "./channel-cutter.js";
import { PcmDecoder } from "./pcm.js";
import type { Resampler } from "./resample.js";
import { bytesPerSample, type SampleCodec } from "./sample-codec.js";

export type Pair = readonly [left: Float32Array, right: Float32Array];

export class PairSplitter {
	/** The left sample of an incomplete pair. */
	#left: number | undefined;

	/** @param samples left, right, left, right. @returns both channels, of equal lengths. */
	accept(samples: Float32Array): Pair {
		const carried = this.#left === undefined ? 0 : 1;
		const total = carried + samples.length;
		const pairs = Math.floor(total / 2);
		const left = new Float32Array(pairs);
		const right = new Float32Array(pairs);
		const at = (index: number) =>
			index < carried
				? (this.#left as number)
				: (samples[index - carried] as number);
		for (let i = 0; i < pairs; i++) {
			left[i] = at(2 * i);
			right[i] = at(2 * i + 1);
		}
		this.#left = total % 2 === 1 ? at(total - 1) : undefined;
		return [left, right];
	}
}

/** Raw stereo, left first. */
export class StereoPcm {
	readonly #left: PcmDecoder;
	readonly #right: PcmDecoder;
	readonly #channels: ChannelCutter;
	readonly #resamplers: readonly [Resampler, Resampler];

	/** @param resamplers fresh, one per channel, of the audio's rate; the caller closes them. */
	constructor(codec: SampleCodec, resamplers: readonly [Resampler, Resampler]) {
		this.#channels = new ChannelCutter(bytesPerSample[codec], 2);
		this.#left = new PcmDecoder(codec, 1);
		this.#right = new PcmDecoder(codec, 1);
		this.#resamplers = resamplers;
	}

	/** @returns both channels at 16 kHz; one may be a little ahead of the other. */
	accept(bytes: Uint8Array): Pair {
		const [left, right] = this.#channels.accept(bytes) as [
			Uint8Array,
			Uint8Array,
		];
		const [first, second] = this.#resamplers;
		return [
			first.accept(this.#left.accept(left)),
			second.accept(this.#right.accept(right)),
		];
	}

	finish(): Pair {
		const [first, second] = this.#resamplers;
		return [first.finish(), second.finish()];
	}
}
