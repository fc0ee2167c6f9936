/** Finds NaN among floats by their bits, reading the file in pieces. IEEE 754; bfloat16 is the upper half of a float32. */
import type { FileHandle } from "node:fs/promises";

interface Bits {
	readonly bytes: 2 | 4 | 8;
	/** Bits of infinity: without the sign, a value above this is NaN. */
	readonly infinity: number;
}

/** By onnx.proto's data_type. */
const floats: Readonly<Record<number, Bits>> = {
	1: { bytes: 4, infinity: 0x7f800000 },
	10: { bytes: 2, infinity: 0x7c00 },
	11: { bytes: 8, infinity: 0x7ff00000 },
	16: { bytes: 2, infinity: 0x7f80 },
};
const pieceBytes = 1024 * 1024;

/** @param type onnx.proto's data_type; types other than floats never contain NaN. */
export async function containsNaN(
	file: FileHandle,
	{ start, end }: { readonly start: number; readonly end: number },
	type: number,
): Promise<boolean> {
	const bits = floats[type];
	if (!bits) return false;
	const piece = Buffer.from(
		new ArrayBuffer(Math.min(pieceBytes, Math.ceil((end - start) / 8) * 8)),
	);
	for (let at = start; at < end; ) {
		const wanted = Math.min(piece.length, end - at);
		const { bytesRead } = await file.read(piece, 0, wanted, at);
		if (bytesRead === 0) return false; // the length was checked before: the file was truncated meanwhile
		// a value that was read partially is read again
		const whole = bytesRead - (bytesRead % bits.bytes);
		if (hasNaN(piece, whole, bits)) return true;
		at += whole || bytesRead;
	}
	return false;
}

/** Whether one value is NaN. @param low its lower 32 bits. @param high the upper 32 bits of a double. */
export function isNaNBits(type: number, low: number, high: number): boolean {
	const bits = floats[type];
	if (!bits) return false;
	if (bits.bytes === 2) return (low & 0x7fff) > bits.infinity;
	if (bits.bytes === 4) return (low & 0x7fffffff) > bits.infinity;
	return isNaNDouble(high, low, bits);
}

/** By index: iterators take four times as long, and packages are large. */
function hasNaN(
	piece: Buffer,
	length: number,
	{ bytes, infinity }: Bits,
): boolean {
	const { buffer } = piece;
	if (bytes === 2) {
		const values = new Uint16Array(buffer, 0, length / 2);
		for (let i = 0; i < values.length; i++)
			if (((values[i] as number) & 0x7fff) > infinity) return true;
		return false;
	}
	const values = new Uint32Array(buffer, 0, length / 4);
	if (bytes === 4) {
		for (let i = 0; i < values.length; i++)
			if (((values[i] as number) & 0x7fffffff) > infinity) return true;
		return false;
	}
	for (let i = 0; i + 1 < values.length; i += 2) {
		if (isNaNDouble(values[i + 1] as number, values[i] as number, { infinity }))
			return true;
	}
	return false;
}

/** @param high the upper 32 bits: sign, exponent and the top of the fraction. */
function isNaNDouble(
	high: number,
	low: number,
	{ infinity }: Pick<Bits, "infinity">,
): boolean {
	const size = high & 0x7fffffff;
	return size > infinity || (size === infinity && low !== 0);
}
