/**
 * A linear layer's weights for a graph: [rows, columns] = [out, in], read only when the graph is written.
 */
import { badSource, type WeightSource } from "./weights.js";

export type Linear = {
	readonly name: string;
	/** Outputs. */
	readonly rows: number;
	/** Inputs. */
	readonly columns: number;
	/** [rows, columns], row-major. */
	readonly weights: () => Float32Array;
	/** [rows]; absent where the layer has none. */
	readonly bias?: () => Float32Array;
	/** Fewer than 8 bits would lose too much accuracy. */
	readonly keeps8Bits?: boolean;
};

export function linearOf(source: WeightSource, name: string): Linear {
	const weight = `${name}/weight`;
	const bias = `${name}/bias`;
	const [rows, columns, ...more] = source.dims(weight);
	if (!rows || !columns || more.length > 0)
		throw badSource(`${weight} should be a matrix`);
	const linear = {
		name,
		rows,
		columns,
		weights: () => source.read(weight).values,
	};
	if (!source.has(bias)) return linear;
	return { ...linear, bias: () => source.read(bias).values };
}

/** Rows `index * rows` to `(index + 1) * rows` as a separate layer. */
export function rowsOf(linear: Linear, index: number, rows: number): Linear {
	const { columns, weights, bias } = linear;
	const part = (values: Float32Array, width: number) =>
		values.slice(index * rows * width, (index + 1) * rows * width);
	return {
		name: `${linear.name}/${index}`,
		rows,
		columns,
		weights: () => part(weights(), columns),
		...(bias && { bias: () => part(bias(), 1) }),
	};
}

/** Multiplies all outputs by `factor` (exact for powers of two). */
export function scaledLinear(linear: Linear, factor: number): Linear {
	const { weights, bias } = linear;
	const scaled = (values: Float32Array) => values.map((one) => one * factor);
	return {
		...linear,
		weights: () => scaled(weights()),
		...(bias && { bias: () => scaled(bias()) }),
	};
}

/** A convolution [out, channels, taps] as a linear layer over concatenated taps: columns are [taps, channels]. */
export function tapsOf(source: WeightSource, name: string): Linear {
	const dims = source.dims(`${name}/weight`);
	const [rows, channels, taps] = dims;
	if (!rows || !channels || !taps || dims.length !== 3)
		throw badSource(`${name}/weight should have three dimensions`);
	return {
		name,
		rows,
		columns: channels * taps,
		weights: () =>
			tapsSideBySide(
				source.read(`${name}/weight`).values,
				[rows, channels, taps],
				[...Array(taps).keys()],
			),
		bias: () => source.read(`${name}/bias`).values,
		keeps8Bits: true,
	};
}

/** [rows, channels, taps] to [rows, used taps, channels]. */
export function tapsSideBySide(
	values: Float32Array,
	[rows, channels, taps]: readonly [
		rows: number,
		channels: number,
		taps: number,
	],
	used: readonly number[],
): Float32Array {
	const out = new Float32Array(rows * used.length * channels);
	let to = 0;
	for (let row = 0; row < rows; row++)
		for (const tap of used)
			for (let channel = 0; channel < channels; channel++)
				out[to++] = values[(row * channels + channel) * taps + tap] as number;
	return out;
}

/** [rows, columns] to [columns, rows], in tiles that fit the cache. */
export function transposed(
	values: Float32Array,
	rows: number,
	columns: number,
): Float32Array {
	const out = new Float32Array(values.length);
	const tile = 32;
	for (let top = 0; top < rows; top += tile)
		for (let left = 0; left < columns; left += tile) {
			const bottom = Math.min(rows, top + tile);
			const right = Math.min(columns, left + tile);
			for (let row = top; row < bottom; row++)
				for (let column = left; column < right; column++)
					out[column * rows + row] = values[row * columns + column] as number;
		}
	return out;
}
