/**
 * How many bytes of audio a short recognition may bring. Audio that is too long is the recognition's to refuse (200005: only it knows what a second is); this
 * limit (200004) only keeps out what can't be so little audio in any sensible encoding.
 */
import type { AudioFormat } from "../session/options.js";

/** 96 kHz, stereo, 24 bits. A WAV may come labelled as pcm: its header wins. */
const uncompressedBytesPerSecond = 600_000;
/** 512 kbit/s, doubled for containers that carry more than the sound. */
const compressedBytesPerSecond = 128_000;
/** Headers, cover art, an index. */
const containerBytes = 8 * 1024 * 1024;

const uncompressed: ReadonlySet<AudioFormat> = new Set(["pcm", "wav", "flac"]);

export function audioBytesMax(
	format: AudioFormat,
	durationSeconds: number,
): number {
	const bytesPerSecond = uncompressed.has(format)
		? uncompressedBytesPerSecond
		: compressedBytesPerSecond;
	return containerBytes + durationSeconds * bytesPerSecond;
}
