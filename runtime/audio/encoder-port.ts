/**
 * The encoder port: what is asked of whatever turns recordings into other formats. `drivers/ffmpeg` implements it.
 */

import type { Container } from "./decoder-port.js";
import type { PcmRateHz } from "./sample-rate.js";

export interface EncodeOptions {
	/** What the file is; nothing else is tried. */
	readonly from: Container | "pcm";
	/** Of raw PCM (signed 16-bit little-endian mono). */
	readonly sampleRateHz: PcmRateHz;
	/** Mono, 16 kHz: an MP3, or samples as signed 16-bit little-endian numbers. */
	readonly to: "mp3" | "pcm";
	/** Longer audio is cut off there. */
	readonly secondsMax: number;
	/** Ends the work; the iteration then throws the signal's reason. */
	readonly signal?: AbortSignal;
}

export interface AudioEncoder {
	/** @param path of a seekable file. @throws CodedError 200006 where nothing can be decoded */
	encodeFile(path: string, options: EncodeOptions): AsyncIterable<Uint8Array>;
}
