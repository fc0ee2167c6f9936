/**
 * Tells interleaved channels of raw audio apart without decoding them: bytes in, cut anywhere, the bytes of each channel out.
 */
export class ChannelCutter {
	readonly #width: number;
	readonly #channels: number;
	/** Bytes of a frame that is not complete yet. */
	#carry: Uint8Array = new Uint8Array(0);

	/** @param width bytes of a sample. */
	constructor(width: number, channels: number) {
		this.#width = width;
		this.#channels = channels;
	}

	/** @param bytes copied. @returns one array for each channel, of equal lengths: the completed frames. */
	accept(bytes: Uint8Array): readonly Uint8Array[] {
		const width = this.#width;
		const frameBytes = width * this.#channels;
		const whole = this.#joined(bytes);
		const frames = Math.floor(whole.length / frameBytes);
		const apart: Uint8Array[] = [];
		for (let channel = 0; channel < this.#channels; channel++) {
			const own = new Uint8Array(frames * width);
			let from = channel * width;
			for (let to = 0; to < own.length; from += frameBytes)
				for (let i = 0; i < width; i++) own[to++] = whole[from + i] as number;
			apart.push(own);
		}
		this.#carry = whole.slice(frames * frameBytes);
		return apart;
	}

	#joined(bytes: Uint8Array): Uint8Array {
		if (this.#carry.length === 0) return bytes;
		const whole = new Uint8Array(this.#carry.length + bytes.length);
		whole.set(this.#carry);
		whole.set(bytes, this.#carry.length);
		return whole;
	}
}
