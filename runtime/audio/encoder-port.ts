/**
 * The encoder port: the interface to an encoder that converts recordings to other formats. `drivers/ffmpeg` implements it.
 */

import type { Container } from "./decoder-port.js";
import type { PcmRateHz } from "./sample-rate.js";

export interface EncodeOptions {
	/** Actual format of the file; no other is tried. */
	readonly from: Container | "pcm";
	/** Sample rate of raw PCM (signed 16-bit little-endian mono). */
	readonly sampleRateHz: PcmRateHz;
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
