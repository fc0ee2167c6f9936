/**
 * Decodes frames from chunks of bytes: an incomplete frame waits for its remaining bytes. Used for raw PCM and for the data of a WAV.
 */
import {
	bytesPerSample,
	decodeFrames,
	type SampleCodec,
} from "./sample-codec.js";

export class PcmDecoder {
	readonly #codec: SampleCodec;
	readonly #channels: number;
	/** Bytes of a frame that is not complete yet. */
	readonly #carry: Uint8Array;
	#carriedBytes = 0;

	constructor(codec: SampleCodec, channels: number) {
		this.#codec = codec;
		this.#channels = channels;
		this.#carry = new Uint8Array(bytesPerSample[codec] * channels);
	}

	/** @returns mono samples of the completed frames. */
	accept(bytes: Uint8Array): Float32Array {
		const frameBytes = this.#carry.length;
		const wholeBytes = this.#carriedBytes + bytes.length;
		const restBytes = wholeBytes % frameBytes;
		if (wholeBytes < frameBytes) {
			this.#carry.set(bytes, this.#carriedBytes);
			this.#carriedBytes = wholeBytes;
			return new Float32Array(0);
		}
		const frames = this.#frames(bytes, wholeBytes - restBytes);
		this.#carry.set(bytes.subarray(bytes.length - restBytes));
		this.#carriedBytes = restBytes;
		return frames;
	}

	/** @param byteCount bytes of whole frames, including the carried bytes. */
	#frames(bytes: Uint8Array, byteCount: number): Float32Array {
		if (this.#carriedBytes === 0)
			return decodeFrames(
				bytes.subarray(0, byteCount),
				this.#codec,
				this.#channels,
			);
		const joined = new Uint8Array(byteCount);
		joined.set(this.#carry.subarray(0, this.#carriedBytes));
		joined.set(
			bytes.subarray(0, byteCount - this.#carriedBytes),
			this.#carriedBytes,
		);
		return decodeFrames(joined, this.#codec, this.#channels);
	}
}
