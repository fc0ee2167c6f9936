/** The scores that a decoder's step returns. */
import type { Tensor } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/** @param output [1, tokens, vocabulary]; disposed. @returns those of the last token. @throws ModelFault when it is of another shape */
export function lastScores(output: Tensor | undefined): Float32Array {
	try {
		const [rows, , vocabulary = 0] = output?.dims ?? [];
		if (output?.type !== "float32" || output.dims.length !== 3 || rows !== 1)
			throw new ModelFault("the decoder returned no scores");
		const data = output.data as Float32Array;
		return data.subarray(data.length - vocabulary);
	} finally {
		output?.dispose();
	}
}
