/**
 * Label against content: the content takes precedence where its header is unambiguous; otherwise the label decides, and bytes that cannot be of that
 * format are refused (docs/decisions.md section 3). Without a label (`auto`) the content decides alone.
 */
import { CodedError } from "../errors.js";
import {
	type AudioFormat,
	containerOf,
	isRaw,
	type RawFormat,
} from "./container.js";
import type { Container } from "./decoder-port.js";
import { findsFrames, id3Bytes, sniff, sniffBytesMax } from "./sniff.js";

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
): Container | RawFormat | undefined {
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
			return tagged(format, head, ended);
		case "unknown":
			return unmarked(format, head, ended);
		default:
			return sniffed.is;
	}
}

/** Three of our containers may follow an ID3 tag, which may be megabytes long: what is too far away is what the label says. */
function tagged(
	format: AudioFormat,
	head: Uint8Array,
	ended: boolean,
): Container | undefined {
	const labelled = format === "aac" || format === "flac" ? format : "mp3";
	const isAll = ended || head.length >= sniffBytesMax;
	const tagBytes = id3Bytes(head);
	if (tagBytes >= head.length)
		return isAll || tagBytes >= sniffBytesMax ? labelled : undefined;
	const rest = head.subarray(tagBytes);
	const { is } = sniff(rest, isAll);
	if (is === "id3") return tagged(format, rest, isAll);
	if (is === "undecided") return undefined;
	return is === "aac" || is === "flac" || is === "mp3" ? is : labelled;
}

/** Without an unambiguous header, checks whether the bytes may be of the label's format. */
function unmarked(
	format: AudioFormat,
	head: Uint8Array,
	ended: boolean,
): Container | RawFormat | undefined {
	const expected = containerOf(format);
	if (expected !== "any" && isRaw(expected)) return expected; // any bytes are samples
	switch (expected) {
		case "any":
			return unlabelled(head, ended);
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

/** Without a label, formats that begin without an unambiguous header are looked for. */
function unlabelled(head: Uint8Array, ended: boolean): Container | undefined {
	if (head.length >= 8 && beginsWithAtom(head)) return "mp4";
	if (findsFrames(head, "mp3")) return "mp3";
	if (findsFrames(head, "aac")) return "aac";
	if (!ended && head.length < sniffBytesMax) return undefined;
	throw new CodedError(
		"200006",
		endsInHeader(head)
			? "audio ends before the header of its format does"
			: "audio is of no format that is known here",
	);
}

/** More bytes might have made it a known format. */
function endsInHeader(head: Uint8Array): boolean {
	return sniff(head, false).is === "undecided";
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
