/**
 * Recent samples of a stream, by sample number: those that may still become part of a segment. Memory of older ones is reused, so hours of audio
 * take no more than the longest segment.
 */
import assert from "node:assert";

const capacityStart = 16_384;

export class SampleHistory {
	#samples = new Float32Array(capacityStart);
	/** Sample number of the first one kept. */
	#start = 0;
	#length = 0;

	/** The oldest sample kept. */
	get start(): number {
		return this.#start;
	}

	/** One past the newest sample. */
	get end(): number {
		return this.#start + this.#length;
	}

	/** Number of samples kept. */
	get length(): number {
		return this.#length;
	}

	/** @param samples copied. */
	append(samples: Float32Array): void {
		this.#reserve(this.#length + samples.length);
		this.#samples.set(samples, this.#length);
		this.#length += samples.length;
	}

	/** @returns a copy of [from, to). */
	copy(from: number, to: number): Float32Array {
		assert(
			from >= this.#start && to <= this.end,
			"samples that are no longer kept",
		);
		return this.#samples.slice(from - this.#start, to - this.#start);
	}

	/** Allows samples before this number to be discarded. */
	forgetBefore(sample: number): void {
		const count = Math.min(sample - this.#start, this.#length);
		// moving the samples for every window would be too expensive
		if (count < capacityStart / 2) return;
		this.#samples.copyWithin(0, count, this.#length);
		this.#start += count;
		this.#length -= count;
	}

	#reserve(wanted: number): void {
		if (wanted <= this.#samples.length) return;
		const grown = new Float32Array(Math.max(wanted, this.#samples.length * 2));
		grown.set(this.#samples.subarray(0, this.#length));
		this.#samples = grown;
	}
}
