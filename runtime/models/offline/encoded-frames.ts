/** The output of an encoder or of a CTC model: rows of floats, copied out of the runtime's memory and checked. */
import type { Tensor } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/**
 * Features of 10 ms that an encoder needs. The convolutions in front of icefall's zipformers make (count - 7) / 2 frames of them, and their graphs cannot run
 * without one; those of conformers and of other toolkits need fewer.
 */
export const featuresMin = 9;

export interface EncodedFrames {
	/** [count, width] */
	readonly values: Float32Array;
	readonly count: number;
	readonly width: number;
}

/**
 * @param output [1, frames, width] @param lengths how many of the frames are valid, one number; absent: all. Both are disposed.
 * @throws ModelFault when it is of another shape, or damaged weights made it infinite
 */
export function framesOf(
	what: string,
	output: Tensor | undefined,
	lengths?: Tensor,
): EncodedFrames {
	return read(what, output, lengths, (tensor, validOf) => {
		const [, frames = 0, width = 0] = tensor.dims;
		const count = validOf(frames);
		const values = new Float32Array(frames * width);
		tensor.copyTo(values); // reading `data` might copy once more
		return { values: values.subarray(0, count * width), count, width };
	});
}

/** The same of an encoder that returns channels before frames. @param output [1, width, frames] */
export function framesOfChannels(
	what: string,
	output: Tensor | undefined,
	lengths?: Tensor,
): EncodedFrames {
	return read(what, output, lengths, (tensor, validOf) => {
		const [, width = 0, frames = 0] = tensor.dims;
		const count = validOf(frames);
		const data = tensor.data as Float32Array;
		const values = new Float32Array(count * width);
		for (let k = 0; k < width; k++)
			for (let i = 0; i < count; i++)
				values[i * width + k] = data[k * frames + i] as number;
		return { values, count, width };
	});
}

function read(
	what: string,
	output: Tensor | undefined,
	lengths: Tensor | undefined,
	copy: (tensor: Tensor, validOf: (frames: number) => number) => EncodedFrames,
): EncodedFrames {
	try {
		if (output?.type !== "float32" || output.dims.length !== 3)
			throw new ModelFault(`${what} returned no frames`);
		const encoded = copy(output, (frames) => {
			const valid = lengths === undefined ? frames : Number(lengths.data[0]);
			if (valid >= 0 && valid <= frames) return valid;
			throw new ModelFault(
				`${what} returned ${frames} frames, but says ${valid}`,
			);
		});
		refuseInfinite(what, encoded.values);
		return encoded;
	} finally {
		output?.dispose();
		lengths?.dispose();
	}
}

export function refuseInfinite(what: string, values: Float32Array): void {
	if (values.length === 0) return;
	if (!Number.isFinite(values[0]) || !Number.isFinite(values.at(-1)))
		throw new ModelFault(`${what}'s output is not finite: damaged weights`);
}
