/**
 * The decoder port: the interface to a decoder for containers. `drivers/ffmpeg` implements it; tests may fake it.
 */

/** Containers with their own header. `mp4` is the whole ISO family: mp4, m4a, 3gp; `ogg` and `webm` hold Opus or Vorbis. */
export type Container =
	| "wav"
	| "ogg"
	| "webm"
	| "mp3"
	| "aac"
	| "amr"
	| "mp4"
	| "flac";

export interface DecodeOptions {
	/** Actual format of the bytes; no other is tried. */
	readonly container: Container;
	/** Decoding stops a little after this, whatever length the file states. Infinity only for a stream. */
	readonly durationSecondsMax: number;
	/** The bytes are a live stream: samples are needed as soon as they can be decoded. */
	readonly streamed?: boolean;
	/** 2: left and right are kept separate, samples come in pairs. Default: all channels are mixed into one. */
	readonly channels?: 1 | 2;
	/** How much later than the pictures the sound of a file begins; undefined: not known yet. */
	readonly delaySeconds?: number | undefined;
	/** Ends the work; the iteration then throws the signal's reason. */
	readonly signal?: AbortSignal;
}

/**
 * Samples are mono (unless `channels` is 2), 16 kHz, in chunks of any length; leaving the iteration early ends the work, and a slow consumer slows it down.
 * Both throw CodedError 200006 if nothing can be decoded, 200007 if there is no audio to decode.
 */
export interface ContainerDecoder {
	/** @param path of a seekable file. */
	decodeFile(path: string, options: DecodeOptions): AsyncIterable<Float32Array>;
	/** @param bytes as they arrive; if the container allows it, samples are returned before all bytes have arrived. */
	decodeBytes(
		bytes: AsyncIterable<Uint8Array>,
		options: DecodeOptions,
	): AsyncIterable<Float32Array>;
}
