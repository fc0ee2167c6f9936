/**
 * The encoder port: the interface to an encoder that converts recordings to other formats. `drivers/ffmpeg` implements it.
 */

import type { Container } from "./decoder-port.js";
import type { SampleCodec } from "./sample-codec.js";

/** Mono audio without a header. */
export interface RawSamples {
	readonly codec: SampleCodec;
	readonly sampleRateHz: number;
}

export interface EncodeOptions {
	/** Actual format of the file; no other is tried. */
	readonly from: Container | RawSamples;
	/** Mono, 16 kHz: MP3, or signed 16-bit little-endian samples. */
	readonly to: "mp3" | "pcm";
	/** Longer audio is truncated. */
	readonly secondsMax: number;
	/** Ends the work; the iteration then throws the signal's reason. */
	readonly signal?: AbortSignal;
}

export interface AudioEncoder {
	/** @param path of a seekable file. @throws CodedError 200006 if nothing can be decoded */
	encodeFile(path: string, options: EncodeOptions): AsyncIterable<Uint8Array>;
}
