/**
 * The interface of a source of weights, independent of the file format. Names are CTranslate2's: "encoder/layer_0/ffn/linear_0/weight";
 * linear weights are [out, in], self-attention's q, k, v are fused along `out` in linear_0, cross-attention's k, v in its linear_1.
 */
export type Weight = {
	readonly dims: readonly number[];
	readonly values: Float32Array;
};

export interface WeightSource {
	/** Format and name, for messages. */
	readonly description: string;
	has(name: string): boolean;
	/** Shape without reading the values. @throws SourceError when the tensor is missing. */
	dims(name: string): readonly number[];
	/** Reads and widens to float32, without caching. @throws SourceError when a value is not finite. */
	read(name: string): Weight;
	close(): void;
}

/** A source can't be converted; the message states the problem and what to do. */
export class SourceError extends Error {
	override readonly name = "SourceError";
}

export function badSource(message: string): SourceError {
	return new SourceError(message);
}

let halfTable: Float32Array | undefined;

/** IEEE half floats to float32, with a table of all 65536 values. */
export function widenHalf(halves: Uint16Array): Float32Array {
	halfTable ??= buildHalfTable();
	const out = new Float32Array(halves.length);
	for (let i = 0; i < halves.length; i++)
		out[i] = halfTable[halves[i] as number] as number;
	return out;
}

/** bfloat16 is the upper half of a float32. */
export function widenBrainFloat(halves: Uint16Array): Float32Array {
	const bits = new Uint32Array(halves.length);
	for (let i = 0; i < halves.length; i++) bits[i] = (halves[i] as number) << 16;
	return new Float32Array(bits.buffer);
}

function buildHalfTable(): Float32Array {
	const table = new Float32Array(65_536);
	for (let bits = 0; bits < table.length; bits++) {
		const sign = bits & 0x8000 ? -1 : 1;
		const exponent = (bits >> 10) & 31;
		const fraction = bits & 1023;
		if (exponent === 0) table[bits] = sign * fraction * 2 ** -24;
		else if (exponent === 31) table[bits] = fraction ? NaN : sign * Infinity;
		else table[bits] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
	}
	return table;
}

/** float32 to IEEE half, rounded to nearest even; values beyond the range (65504) saturate. */
export function narrowToHalf(values: Float32Array): Uint16Array {
	const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
	const out = new Uint16Array(values.length);
	for (let i = 0; i < values.length; i++) out[i] = halfOf(bits[i] as number);
	return out;
}

const halfMax = 0x7bff;

function halfOf(bits: number): number {
	const sign = (bits >>> 16) & 0x8000;
	const exponent = ((bits >>> 23) & 255) - 127 + 15;
	const fraction = bits & 0x7fffff;
	if (exponent >= 31) return sign | halfMax;
	if (exponent < -10) return sign;
	if (exponent <= 0) {
		const shift = 14 - exponent; // subnormal: the hidden bit becomes visible
		return sign | roundedShift(fraction | 0x800000, shift);
	}
	// a carry correctly increments the exponent
	const rounded = (exponent << 10) + roundedShift(fraction, 13);
	return sign | Math.min(rounded, halfMax);
}

function roundedShift(value: number, shift: number): number {
	const kept = value >>> shift;
	const rest = value & ((1 << shift) - 1);
	const half = 1 << (shift - 1);
	return rest > half || (rest === half && kept & 1) ? kept + 1 : kept;
}

/** @throws SourceError: one non-finite value would make every transcript empty. */
export function checkFinite(name: string, values: Float32Array): Float32Array {
	for (let i = 0; i < values.length; i++)
		if (!Number.isFinite(values[i]))
			throw badSource(`${name} contains a value that is not finite`);
	return values;
}
