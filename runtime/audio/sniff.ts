/**
 * Detects the format of a file from its first bytes. A container is only named if its header is unambiguous: a magic number with its structure, or, for
 * formats without one (MPEG audio, ADTS), three matching frames in a row.
 */
import type { Container } from "./decoder-port.js";
import { docTypeOf } from "./ebml.js";
import {
	type FrameHeader,
	readAdtsHeader,
	readMpegHeader,
} from "./frame-sync.js";

export type Sniffed =
	| { readonly is: Container }
	/** An unsupported container, by name. */
	| { readonly is: "foreign"; readonly name: string }
	/** An ID3 tag, which does not determine the format after it. */
	| { readonly is: "id3" }
	| { readonly is: "unknown" }
	/** More bytes may decide. */
	| { readonly is: "undecided" };

/** Maximum number of bytes needed: enough for three of the largest frames, and for the header of an Ogg page. */
export const sniffBytesMax = 32 * 1024;

const framesInARow = 3;

/** @param head the file from its first byte. @param ended whether `head` is the whole file. */
export function sniff(head: Uint8Array, ended: boolean): Sniffed {
	let undecided = false;
	for (const test of tests) {
		const found = test(head, ended);
		if (found === "undecided") undecided = true;
		else if (found) return found;
	}
	const mayGrow = !ended && head.length < sniffBytesMax;
	return { is: undecided && mayGrow ? "undecided" : "unknown" };
}

type Test = (
	head: Uint8Array,
	ended: boolean,
) => Sniffed | "undecided" | undefined;

const tests: readonly Test[] = [
	magic({ is: "wav" }, "RIFF....WAVE"),
	magic({ is: "wav" }, "RF64....WAVE"),
	magic({ is: "wav" }, "BW64....WAVE"),
	magic({ is: "foreign", name: "AVI" }, "RIFF....AVI "),
	magic({ is: "foreign", name: "big-endian WAV (RIFX)" }, "RIFX....WAVE"),
	sniffOgg,
	sniffFlac,
	magic({ is: "amr" }, "#!AMR\n"),
	magic({ is: "amr" }, "#!AMR-WB\n"),
	magic({ is: "mp4" }, "....ftyp"),
	sniffId3,
	sniffEbml,
	magic({ is: "foreign", name: "AIFF" }, "FORM....AIF"),
	magic({ is: "foreign", name: "Core Audio" }, "caff\0\x01"),
	magic({ is: "foreign", name: "Windows Media" }, "0&\xb2u\x8ef\xcf\x11"),
	(head, ended) => sniffFrames(head, ended, readAdtsHeader, { is: "aac" }),
	(head, ended) => sniffFrames(head, ended, readMpegHeader, { is: "mp3" }),
];

/** @param pattern Latin-1; a dot stands for any byte (part of a size field). */
function magic(found: Sniffed, pattern: string): Test {
	return (head) => {
		const known = Math.min(head.length, pattern.length);
		for (let i = 0; i < known; i++) {
			if (pattern[i] === ".") continue;
			if (head[i] !== pattern.charCodeAt(i)) return undefined;
		}
		return known === pattern.length ? found : "undecided";
	};
}

/** The first page's body names the codec; it begins after a table of segment lengths. */
function sniffOgg(head: Uint8Array): Sniffed | "undecided" | undefined {
	const capture = magic({ is: "ogg" }, "OggS\0")(head, false);
	if (typeof capture !== "object") return capture;
	const codec = oggCodecOf(head);
	if (codec === "Opus" || codec === "Vorbis" || codec === "undecided")
		return codec === "undecided" ? codec : capture;
	return { is: "foreign", name: `Ogg with ${codec}` };
}

/** @param head of an Ogg file. */
export function oggCodecOf(head: Uint8Array): string {
	const segments = head[26];
	if (segments === undefined) return "undecided";
	const body = head.subarray(27 + segments, 27 + segments + 8);
	const name = oggCodecs.find(([start]) => startsWith(body, start))?.[1];
	if (!name && body.length < 8) return "undecided";
	return name ?? "an unknown codec";
}

const oggCodecs = [
	["OpusHead", "Opus"],
	["\x01vorbis", "Vorbis"],
	["Speex   ", "Speex"],
	["\x7fFLAC", "FLAC"],
] as const;

/** WebM is Matroska with a document type of its own; other Matroska may hold any codec. */
function sniffEbml(head: Uint8Array): Sniffed | "undecided" | undefined {
	const header = docTypeOf(head);
	if (typeof header !== "object") return header;
	return header.docType === "webm"
		? { is: "webm" }
		: { is: "foreign", name: "Matroska other than WebM" };
}

/** The first metadata block is STREAMINFO, always 34 bytes. */
function sniffFlac(head: Uint8Array): Sniffed | "undecided" | undefined {
	const capture = magic({ is: "flac" }, "fLaC")(head, false);
	if (typeof capture !== "object") return capture;
	if (head.length < 8) return "undecided";
	const isStreamInfo = ((head[4] as number) & 0x7f) === 0;
	const bytes =
		((head[5] as number) << 16) |
		((head[6] as number) << 8) |
		(head[7] as number);
	return isStreamInfo && bytes === 34 ? capture : undefined;
}

function sniffId3(head: Uint8Array): Sniffed | "undecided" | undefined {
	const capture = magic({ is: "id3" }, "ID3")(head, false);
	if (typeof capture !== "object") return capture;
	if (head.length < 10) return "undecided";
	const version = head[3] as number;
	const sizeIsSyncsafe = head.subarray(6, 10).every((byte) => byte < 0x80);
	return version < 0x10 && sizeIsSyncsafe ? capture : undefined;
}

/** Length of the tag that these bytes begin with, at least ten of it (ID3v2.4, 3.1: four bytes of seven bits, without header and footer). */
export function id3Bytes(head: Uint8Array): number {
	const size = head.subarray(6, 10).reduce((sum, it) => sum * 128 + it, 0);
	const hasFooter = ((head[5] as number) & 0x10) !== 0;
	return 10 + size + (hasFooter ? 10 : 0);
}

function sniffFrames(
	head: Uint8Array,
	ended: boolean,
	read: (bytes: Uint8Array, offset: number) => FrameHeader | undefined,
	found: Sniffed,
): Sniffed | "undecided" | undefined {
	if (head.length < 2) return head[0] === 0xff ? "undecided" : undefined;
	if (head[0] !== 0xff || ((head[1] as number) & 0xe0) !== 0xe0)
		return undefined;
	const run = framesFrom(head, 0, read);
	if (run.frames >= framesInARow) return found;
	// a short file may have fewer frames, if they fill it to the end
	if (ended) return run.frames > 0 && run.stopped === "end" ? found : undefined;
	return run.stopped === "end" ? "undecided" : undefined;
}

/** Walks from frame to frame as long as headers are valid and match. */
function framesFrom(
	bytes: Uint8Array,
	start: number,
	read: (bytes: Uint8Array, offset: number) => FrameHeader | undefined,
): { frames: number; stopped: "end" | "mismatch" } {
	let offset = start;
	let frames = 0;
	let kind: number | undefined;
	while (frames < framesInARow) {
		if (offset + 7 > bytes.length) return { frames, stopped: "end" };
		const header = read(bytes, offset);
		if (!header || (kind ?? header.kind) !== header.kind)
			return { frames, stopped: "mismatch" };
		kind = header.kind;
		offset += header.frameBytes;
		frames++;
	}
	return { frames, stopped: "end" };
}

/** Whether there is a run of frames anywhere: MPEG audio files often begin with padding or an incomplete frame. */
export function findsFrames(
	head: Uint8Array,
	container: "mp3" | "aac",
): boolean {
	const read = container === "mp3" ? readMpegHeader : readAdtsHeader;
	for (let start = 0; start + 7 <= head.length; start++) {
		if (head[start] !== 0xff) continue;
		if (framesFrom(head, start, read).frames >= framesInARow) return true;
	}
	return false;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
	if (bytes.length < text.length) return false;
	for (let i = 0; i < text.length; i++)
		if (bytes[i] !== text.charCodeAt(i)) return false;
	return true;
}
