/**
 * Label against content: the content takes precedence where its header is unambiguous; otherwise the label decides, and bytes that cannot be of that
 * format are refused (docs/decisions.md section 3).
 */
import { CodedError } from "../errors.js";
import { type AudioFormat, containerOf } from "./container.js";
import type { Container } from "./decoder-port.js";
import { findsFrames, sniff, sniffBytesMax } from "./sniff.js";

/**
 * @param head the audio from its first byte.
 * @param ended whether `head` is the whole audio.
 * @returns the actual format; undefined while more bytes are needed.
 * @throws CodedError 200006
 */
export function identify(
	format: AudioFormat,
	head: Uint8Array,
	ended: boolean,
): Container | "pcm" | undefined {
	const sniffed = sniff(head, ended);
	switch (sniffed.is) {
		case "undecided":
			return undefined;
		case "foreign":
			throw new CodedError(
				"200006",
				`audio is ${sniffed.name}, which is not supported`,
			);
		case "id3":
			return tagged(format);
		case "unknown":
			return unmarked(format, head, ended);
		default:
			return sniffed.is;
	}
}

/** Three of our containers may follow an ID3 tag, which may be megabytes long: the label decides. */
function tagged(format: AudioFormat): Container {
	return format === "aac" || format === "flac" ? format : "mp3";
}

/** Without an unambiguous header, checks whether the bytes may be of the label's format. */
function unmarked(
	format: AudioFormat,
	head: Uint8Array,
	ended: boolean,
): Container | "pcm" | undefined {
	const expected = containerOf(format);
	switch (expected) {
		case "pcm": // any bytes are samples
			return expected;
		case "mp3":
		case "aac":
			if (findsFrames(head, expected)) return expected;
			if (!ended && head.length < sniffBytesMax) return undefined;
			throw mismatch(format);
		case "mp4":
			if (beginsWithAtom(head)) return expected;
			if (!ended && head.length < 8) return undefined;
			throw mismatch(format);
		default:
			throw mismatch(format);
	}
}

/** Old QuickTime writers omit `ftyp`. */
function beginsWithAtom(head: Uint8Array): boolean {
	const name = String.fromCharCode(...head.subarray(4, 8));
	return ["moov", "mdat", "wide", "free", "skip"].includes(name);
}

function mismatch(format: AudioFormat): CodedError {
	return new CodedError(
		"200006",
		`audio does not match format: the bytes are not ${format}`,
	);
}
