/**
 * The format labels that a client may give its audio, and the container that each stands for. The actual bytes take precedence over the label.
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
