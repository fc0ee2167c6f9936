/**
 * The samples of an audio-chunk, whose format is read of each one: unsigned 8-bit, signed 16-bit or signed 32-bit, any number of channels, which are
 * averaged. (Widths as the protocol's Python package converts them.)
 */
import { PcmDecoder } from "../../audio/pcm.js";
import { type SampleCodec, s16Bytes } from "../../audio/sample-codec.js";
import { rawAudio } from "../../session/audio-source.js";

export interface ChunkFormat {
	readonly rateHz: number;
	readonly width: 1 | 2 | 4;
	readonly channels: number;
}

const codecs: Readonly<Record<ChunkFormat["width"], SampleCodec>> = {
	1: "u8",
	2: "s16",
	4: "s32",
};

/** @throws CodedError 200002 that names the field. */
export function chunkFormatOf(
	data: Readonly<Record<string, unknown>>,
): ChunkFormat {
	const { rate, width, channels } = data;
	return rawAudio({ rate, width, channels });
}

/** Makes signed 16-bit mono samples of the chunks of one turn; a frame may be cut by their ends. */
export class ChunkSamples {
	#format: ChunkFormat | undefined;
	#decoder: PcmDecoder | undefined;

	/** @returns bytes, little-endian; those given where they are so already. */
	accept(bytes: Uint8Array, format: ChunkFormat): Uint8Array {
		const { width, channels } = format;
		if (width === 2 && channels === 1) {
			this.#format = undefined;
			return bytes;
		}
		if (this.#format?.width !== width || this.#format.channels !== channels) {
			this.#format = format;
			this.#decoder = new PcmDecoder(codecs[width], channels);
		}
		return s16Bytes((this.#decoder as PcmDecoder).accept(bytes));
	}
}
