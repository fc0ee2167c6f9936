/**
 * The decoder port: what this room asks of whatever decodes containers. `drivers/ffmpeg` implements it; tests may fake it.
 */

/** Containers that carry a header of their own. `mp4` is the whole ISO family: mp4, m4a, 3gp. */
export type Container = "wav" | "opus" | "mp3" | "aac" | "amr" | "mp4" | "flac";

export interface DecodeOptions {
	/** What the bytes are; nothing else is tried. */
	readonly container: Container;
	/** Decoding stops a little past it, whatever the file claims to hold. Infinity only for a stream. */
	readonly durationSecondsMax: number;
	/** The bytes are spoken at this moment: samples are wanted as soon as they can be told. */
	readonly streamed?: boolean;
	/** 2: left and right are kept apart, samples come in pairs. Default: all channels are mixed into one. */
	readonly channels?: 1 | 2;
	/** Ends the work; the iteration then throws the signal's reason. */
	readonly signal?: AbortSignal;
}

/**
 * Samples are mono (unless `channels` says otherwise), 16 kHz, in chunks of any length; leaving the iteration early ends the work, a slow reader slows it down.
 * Both throw CodedError 200006 where nothing can be decoded.
 */
export interface ContainerDecoder {
	/** @param path of a seekable file. */
	decodeFile(path: string, options: DecodeOptions): AsyncIterable<Float32Array>;
	/** @param bytes as they come; samples come while bytes still do, where the container allows. */
	decodeBytes(
		bytes: AsyncIterable<Uint8Array>,
		options: DecodeOptions,
	): AsyncIterable<Float32Array>;
}
