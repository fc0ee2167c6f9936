/**
 * Symmetric quantization of weights: per row (output channel) for 8-bit products, per block of a row for MatMulNBits.
 */

export interface Quantized<Values> {
	readonly values: Values;
	readonly scales: Float32Array;
}

/**
 * A layer's values, then its scales, as they lie in a file one behind the other: both come of one reading of its weights. Nothing is kept once the scales were
 * asked for.
 */
export function valuesThenScales<Values>(quantize: () => Quantized<Values>) {
	let kept: Float32Array | undefined;
	return {
		values: (): Values => {
			const { values, scales } = quantize();
			kept = scales;
			return values;
		},
		scales: (): Float32Array => {
			const scales = kept ?? quantize().scales;
			kept = undefined;
			return scales;
		},
	};
}

export function quantizeRows(
	weights: Float32Array,
	rows: number,
): Quantized<Int8Array> {
	const columns = weights.length / rows;
	const values = new Int8Array(weights.length);
	const scales = new Float32Array(rows);
	for (let row = 0; row < rows; row++) {
		const start = row * columns;
		const end = start + columns;
		const extreme = extremeOf(weights, start, end);
		const scale = Math.fround(Math.abs(extreme) / 127) || 1;
		scales[row] = scale;
		for (let i = start; i < end; i++)
			values[i] = clamp(Math.round((weights[i] as number) / scale), -127, 127);
	}
	return { values, scales };
}

/**
 * In MatMulNBits' layout: unsigned around the middle, which is its default zero point; 4-bit values in pairs, the first in the low bits.
 * An incomplete last block is padded with zeros.
 */
export function quantizeBlocks(
	weights: Float32Array,
	columns: number,
	block: number,
	bits: 4 | 8,
): Quantized<Uint8Array> {
	const middle = 1 << (bits - 1);
	const rows = weights.length / columns;
	const blocks = Math.ceil(columns / block);
	const codes = new Uint8Array(rows * blocks * block).fill(middle);
	const scales = new Float32Array(rows * blocks);
	for (let at = 0; at < scales.length; at++) {
		const left = (at % blocks) * block;
		const start = Math.floor(at / blocks) * columns + left;
		const end = start + Math.min(block, columns - left);
		// the value of largest magnitude becomes -middle exactly, so that all codes are used
		const extreme = extremeOf(weights, start, end);
		const scale = Math.fround(extreme / -middle) || 1;
		scales[at] = scale;
		for (let i = start, code = at * block; i < end; i++, code++)
			codes[code] = clamp(
				Math.round((weights[i] as number) / scale) + middle,
				0,
				2 * middle - 1,
			);
	}
	return { values: bits === 8 ? codes : packPairs(codes), scales };
}

function packPairs(codes: Uint8Array): Uint8Array {
	const packed = new Uint8Array(codes.length / 2);
	for (let i = 0; i < packed.length; i++)
		packed[i] = (codes[2 * i] as number) | ((codes[2 * i + 1] as number) << 4);
	return packed;
}

/** The value of largest magnitude, with its sign. */
function extremeOf(values: Float32Array, start: number, end: number): number {
	let extreme = 0;
	for (let i = start; i < end; i++) {
		const value = values[i] as number;
		if (Math.abs(value) > Math.abs(extreme)) extreme = value;
	}
	return extreme;
}

function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(high, value));
}
