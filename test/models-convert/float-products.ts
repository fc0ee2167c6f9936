/** An exported graph with the products that it computes in 8 bits computed in floats instead. */
import { decode, encode } from "../../runtime/models/convert/onnx-messages.js";

interface Node {
	readonly opType: string;
	readonly input: readonly string[];
	readonly output: readonly string[];
}

interface Model {
	readonly graph: { readonly node: readonly Node[] };
}

const float = 1;
const int = 2;
const toFloat = {
	opType: "Cast",
	attribute: [{ name: "to", type: int, i: float }],
};

/** Activations are no longer turned into codes; weights are (codes - zero point) * scale. */
export function withFloatProducts(bytes: Uint8Array): Uint8Array {
	const model = decode("ModelProto", bytes) as Model;
	const { node: nodes } = model.graph;
	const activations = new Map<string, string>();
	const scales = new Set<string>();
	for (const { opType, input, output } of nodes) {
		if (opType !== "DynamicQuantizeLinear") continue;
		activations.set(output[0] ?? "", input[0] ?? "");
		scales.add(output[1] ?? "");
	}
	const node = nodes.flatMap((it): object[] => {
		const [output = ""] = it.output;
		if (it.opType === "DynamicQuantizeLinear") return [];
		if (it.opType === "MatMulInteger") {
			const [codes = "", weights, , zero] = it.input;
			const names = ["codes", "zero", "weights"].map((as) => `${output} ${as}`);
			const [own = "", none = "", plain = ""] = names;
			return [
				{ ...toFloat, input: [weights], output: [own] },
				{ ...toFloat, input: [zero], output: [none] },
				{ opType: "Sub", input: [own, none], output: [plain] },
				{
					opType: "MatMul",
					input: [activations.get(codes), plain],
					output: [output],
				},
			];
		}
		// of a product's two scales only the weights' is left
		const left = it.input.filter((name) => !scales.has(name));
		return left.length < it.input.length
			? [{ opType: "Identity", input: left, output: it.output }]
			: [it];
	});
	return encode("ModelProto", { ...model, graph: { ...model.graph, node } });
}
