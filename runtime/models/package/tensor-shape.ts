/** The shape that a tensor in an ONNX graph states: any numbers, until it is found valid. */
import { type Field, type OnnxFields, wire } from "./onnx-fields.js";

export const rankMax = 64;

/** Dimensions; a field may contain one or several. */
export class TensorShape {
	rank = 0;
	/** Number of values. */
	count = 1;
	#largest = 0;

	get isValid(): boolean {
		return (
			this.rank <= rankMax &&
			Number.isSafeInteger(this.#largest) &&
			Number.isSafeInteger(this.count)
		);
	}

	async add(part: Field, fields: OnnxFields): Promise<void> {
		if (part.wire === wire.varint) this.#add(part.value);
		if (part.wire === wire.bytes)
			await fields.varints(part, (dim) => this.#add(dim));
	}

	/** A negative dimension is a very large varint. */
	#add(dim: number): void {
		this.rank++;
		this.count *= dim;
		this.#largest = Math.max(this.#largest, dim);
	}
}
