/** The types of a tensor's values in an ONNX graph, and the fields that hold them. */
import { tensorFields as tensor } from "./onnx-fields.js";

export interface ElementType {
	readonly bits: number;
	/** Field of its values where they aren't raw. */
	readonly own: number;
}

/** By data_type; without types that no CPU kernel supports (complex, 8-bit floats). */
export const elementTypes: Readonly<Record<number, ElementType>> = {
	1: { bits: 32, own: tensor.floats },
	2: { bits: 8, own: tensor.ints },
	3: { bits: 8, own: tensor.ints },
	4: { bits: 16, own: tensor.ints },
	5: { bits: 16, own: tensor.ints },
	6: { bits: 32, own: tensor.ints },
	7: { bits: 64, own: tensor.longs },
	8: { bits: Number.NaN, own: tensor.strings },
	9: { bits: 8, own: tensor.ints },
	10: { bits: 16, own: tensor.ints },
	11: { bits: 64, own: tensor.doubles },
	12: { bits: 32, own: tensor.unsigned },
	13: { bits: 64, own: tensor.unsigned },
	16: { bits: 16, own: tensor.ints },
	21: { bits: 4, own: tensor.ints },
	22: { bits: 4, own: tensor.ints },
};
/** Bytes of a value, for fields that are not varints. */
export const fixedBytes: Readonly<Record<number, number>> = {
	[tensor.floats]: 4,
	[tensor.doubles]: 8,
};
export const stringType = 8;
export const indexTypes: ReadonlySet<number> = new Set([3, 5, 6, 7]);
export const valueFields: ReadonlySet<number> = new Set([
	tensor.floats,
	tensor.ints,
	tensor.strings,
	tensor.longs,
	tensor.raw,
	tensor.doubles,
	tensor.unsigned,
]);
