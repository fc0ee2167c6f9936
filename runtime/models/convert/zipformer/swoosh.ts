/**
 * Zipformer's activations: swoosh(x) = log(1 + exp(x - shift)) - 0.08 x - offset (Yao et al. 2023, "Zipformer"). A device may have a kernel for them
 * (drivers/onnx/capi/kernels/ops/swoosh.c).
 */
import type { OwnFunction } from "../graph-builder.js";

const slope = 0.08;
/** Above it, log(1 + exp(x)) is x in floats, and below exp(x) is finite. */
const largeExponent = 80;

export const swooshL = swooshFunction("SwooshL", 4, 0.035);
export const swooshR = swooshFunction("SwooshR", 1, 0.313_261_687_7);

function swooshFunction(
	name: string,
	shift: number,
	offset: number,
): OwnFunction {
	return {
		name,
		inputs: ["x"],
		body: (graph, [x = ""]) => {
			const moved = graph.op("Sub", [x, graph.float(shift)]);
			const large = graph.op("Min", [moved, graph.float(largeExponent)]);
			const grown = graph.op("Add", [graph.op("Exp", [large]), graph.float(1)]);
			const softplus = graph.op("Max", [graph.op("Log", [grown]), moved]);
			const line = graph.op("Mul", [x, graph.float(slope)]);
			const bent = graph.op("Sub", [softplus, line]);
			return [graph.op("Sub", [bent, graph.float(offset)])];
		},
	};
}
