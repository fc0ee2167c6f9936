/**
 * A complex FFT of a power of two (decimation in time, radix 2, in place), for cross-correlations and Kaldi's features. Whisper's features have a
 * separate one: 400 points, real, power only.
 */
import assert from "node:assert";

export class Fft {
	readonly size: number;
	readonly #cos: Float64Array;
	readonly #sin: Float64Array;
	readonly #swap: Uint16Array;

	/** @param size a power of two, at most 32768. */
	constructor(size: number) {
		const bits = Math.log2(size);
		assert(Number.isInteger(bits) && bits >= 1 && bits <= 15, `${size} points`);
		this.size = size;
		this.#cos = new Float64Array(size / 2);
		this.#sin = new Float64Array(size / 2);
		for (let k = 0; k < size / 2; k++) {
			this.#cos[k] = Math.cos((2 * Math.PI * k) / size);
			this.#sin[k] = -Math.sin((2 * Math.PI * k) / size);
		}
		this.#swap = new Uint16Array(size);
		for (let i = 1; i < size; i++)
			this.#swap[i] =
				((this.#swap[i >> 1] as number) >> 1) | ((i & 1) << (bits - 1));
	}

	/** X[k] = sum x[n] exp(-2 pi i n k / size), in place. */
	transform(re: Float64Array, im: Float64Array): void {
		const { size } = this;
		for (let i = 0; i < size; i++) {
			const j = this.#swap[i] as number;
			if (j <= i) continue;
			const r = re[i] as number;
			const m = im[i] as number;
			re[i] = re[j] as number;
			im[i] = im[j] as number;
			re[j] = r;
			im[j] = m;
		}
		for (let half = 1; half < size; half *= 2) {
			const step = size / (2 * half);
			for (let k = 0; k < half; k++) {
				const wr = this.#cos[k * step] as number;
				const wi = this.#sin[k * step] as number;
				for (let a = k; a < size; a += 2 * half) {
					const b = a + half;
					const br = re[b] as number;
					const bi = im[b] as number;
					const tr = br * wr - bi * wi;
					const ti = br * wi + bi * wr;
					const ar = re[a] as number;
					const ai = im[a] as number;
					re[a] = ar + tr;
					im[a] = ai + ti;
					re[b] = ar - tr;
					im[b] = ai - ti;
				}
			}
		}
	}
}
