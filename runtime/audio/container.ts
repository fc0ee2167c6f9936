/**
 * What a client may call its audio, and which container that promises. The label is a promise; the bytes are the truth.
 */
import type { Container } from "./decoder-port.js";

/** `format` values of the interface. `pcm` is signed 16-bit little-endian mono. */
export type AudioFormat =
	| "pcm"
	| "wav"
	| "opus"
	| "mp3"
	| "aac"
	| "amr"
	| "m4a"
	| "mp4"
	| "3gp"
	| "flac";

export function containerOf(format: AudioFormat): Container | "pcm" {
	switch (format) {
		case "m4a":
		case "mp4":
		case "3gp":
			return "mp4";
		default:
			return format;
	}
}
