/** The chunks of a RIFF/WAVE file: what is the same whether it is decoded as it arrives (wav.ts) or only measured (wav-extent.ts). */

/** RIFF, size, WAVE. */
export const magicBytes = 12;
/** Id and size. */
export const chunkHeaderBytes = 8;
/** RIFF size, data size, sample count: u64 each. */
export const ds64Bytes = 24;

/** RF64 and BW64 are RIFF with sizes of 64 bits. */
const magics: ReadonlySet<string> = new Set(["RIFF", "RF64", "BW64"]);
const unknown32 = 0xffffffff;
/** What `sox` and `arecord` write into a pipe, less a part of a frame. A stream goes on behind it. */
const placeholders = [0x7ffff000, 0x80000000];
/** No more, since a file may be nearly as long, with texts behind its audio. */
const frameBytesMax = 256;

/** @param head the first `magicBytes`, or fewer. */
export function isWave(head: Uint8Array): boolean {
	return magics.has(ascii(head, 0)) && ascii(head, 8) === "WAVE";
}

export function readChunkHeader(header: Uint8Array): {
	readonly id: string;
	readonly bytes: number;
} {
	return { id: ascii(header, 0), bytes: viewOf(header).getUint32(4, true) };
}

/** @param body `ds64Bytes` of it. @returns the data's size. */
export function readDs64(body: Uint8Array): number {
	return Number(viewOf(body).getBigUint64(8, true));
}

/** Chunks begin on even bytes. */
export function padded(bytes: number): number {
	return bytes + (bytes % 2);
}

/**
 * How much the data chunk says it has.
 * @param bytes64 of a ds64 chunk, if there was one.
 * @returns Infinity: to the end of the file. Streaming writers leave 0, or a number that stands for it, because they do not know the size yet.
 */
export function dataBytes(bytes: number, bytes64 = 0): number {
	const isPlaceholder = placeholders.some(
		(it) => bytes <= it && bytes > it - frameBytesMax,
	);
	if (isPlaceholder) return Number.POSITIVE_INFINITY;
	const declared = bytes === unknown32 ? bytes64 : bytes;
	return declared || Number.POSITIVE_INFINITY;
}

function ascii(bytes: Uint8Array, offset: number): string {
	return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}

function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
