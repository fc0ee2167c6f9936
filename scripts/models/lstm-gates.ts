/** PyTorch's gates are input, forget, cell, output; ONNX's input, output, forget, cell. */
export function inOnnxOrder(values: Float32Array): Float32Array {
	const size = values.length / 4;
	const gate = (index: number) =>
		values.subarray(index * size, (index + 1) * size);
	const ordered = new Float32Array(values.length);
	for (const [to, from] of [0, 3, 1, 2].entries())
		ordered.set(gate(from), to * size);
	return ordered;
}
