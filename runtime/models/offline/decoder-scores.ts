/** The scores that a decoder's step returns. */
import type { Tensor } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/**
 * @param output [rows, tokens, vocabulary]; disposed. @returns of each row those of the last token.
 * @throws ModelFault when it is of another shape
 */
export function lastScores(
	output: Tensor | undefined,
	rows: number,
): Float32Array[] {
	try {
		const { dims = [], type } = output ?? {};
		const [count, tokens = 0, vocabulary = 0] = dims;
		if (type !== "float32" || dims.length !== 3 || count !== rows)
			throw new ModelFault("the decoder returned no scores");
		const data = output?.data as Float32Array;
		return Array.from({ length: rows }, (_, row) => {
			const end = (row + 1) * tokens * vocabulary;
			return data.subarray(end - vocabulary, end);
		});
	} finally {
		output?.dispose();
	}
}

/** Of a decoder that writes one text. */
export function onlyScores(output: Tensor | undefined): Float32Array {
	const [scores] = lastScores(output, 1);
	return scores as Float32Array;
}
