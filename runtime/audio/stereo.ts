/**
 * Separates two interleaved channels. Pieces may be split anywhere, even inside a pair.
 */
import type { Resampler } from "./resample.js";

export type Pair = readonly [left: Float32Array, right: Float32Array];

const bytesPerPair = 4;

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

/** Raw stereo: signed 16-bit little-endian, left first. */
export class StereoPcm {
	readonly #resamplers: readonly [Resampler, Resampler];
	#carry = Buffer.alloc(0);

	/** @param resamplers fresh, one per channel; the caller closes them. */
	constructor(
		sampleRateHz: number,
		resamplers: readonly [Resampler, Resampler],
	) {
		this.#resamplers = resamplers;
		for (const one of resamplers) one.open(sampleRateHz);
	}

	/** @returns both channels at 16 kHz; one may be a little ahead of the other. */
	accept(bytes: Uint8Array): Pair {
		const whole = Buffer.concat([this.#carry, bytes]);
		const pairs = Math.floor(whole.length / bytesPerPair);
		const left = new Float32Array(pairs);
		const right = new Float32Array(pairs);
		for (let i = 0; i < pairs; i++) {
			left[i] = whole.readInt16LE(i * bytesPerPair) / 32768;
			right[i] = whole.readInt16LE(i * bytesPerPair + 2) / 32768;
		}
		this.#carry = whole.subarray(pairs * bytesPerPair);
		const [first, second] = this.#resamplers;
		return [first.accept(left), second.accept(right)];
	}

	finish(): Pair {
		const [first, second] = this.#resamplers;
		return [first.finish(), second.finish()];
	}
}
