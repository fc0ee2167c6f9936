/** A tensor over an array, whose memory it shares. */
import {
	elementCount,
	type Tensor,
	type TensorData,
	type TensorType,
} from "../../runtime/models/inference-port.js";

export class HostTensor implements Tensor {
	/** @throws RangeError if the array's length does not match the dimensions. */
	constructor(
		readonly type: TensorType,
		readonly data: TensorData,
		readonly dims: readonly number[],
		readonly isConstant = false,
	) {
		const length = elementCount(dims);
		if (length !== data.length)
			throw new RangeError(
				`a tensor of [${dims}] has ${length} elements, got ${data.length}`,
			);
	}

	copyTo(values: Float32Array): void {
		values.set(this.data as Float32Array);
	}

	dispose(): void {}
}
