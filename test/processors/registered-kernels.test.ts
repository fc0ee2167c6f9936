/**
 * Every function that has a kernel is computed by it. One that is not registered, or under another name, would go unnoticed elsewhere: the library computes the
 * function's own operators then, which are right. So here they return twice what they should.
 */
import t from "tap";
import { GraphBuilder } from "../../runtime/models/convert/graph-builder.js";
import type {
	Graph,
	GraphFunction,
} from "../../runtime/models/convert/onnx-format.js";
import {
	swooshL,
	swooshR,
} from "../../runtime/models/convert/zipformer/swoosh.js";
import { built, type KernelCase } from "./kernels.property.js";
import { apart, type Feeds, levels, tensor, Ways } from "./ways.js";

const skip = levels.length > 0 ? false : "this processor has no kernels";
const ways = new Ways(t.testdir());

const sound = { seed: 1, sounds: 1, heads: 2, positions: 70 } as const;
const crossAttention = { ...sound, beams: 2, length: 1 } as const;
const layer = { seed: 1, rows: 5, columns: 64, outputs: 65 } as const;
const cases: readonly KernelCase[] = [
	{ is: "linear", ...layer, use: {} },
	{ is: "linear", ...layer, use: { endsInGelu: true } },
	{ is: "linear", ...layer, use: { followsGelu: true } },
	{ is: "linear", ...layer, use: { followsGelu: true, endsInGelu: true } },
	{ is: "attention", ...sound },
	{ is: "cross-attention", ...crossAttention },
	{ is: "cross-attention", ...crossAttention, watched: [0] },
	{ is: "self-attention", seed: 1, length: 1, past: 5, parents: [0, 1] },
	{
		is: "vocabulary",
		seed: 1,
		rows: 2,
		positions: 1,
		columns: 64,
		tokens: 300,
		forbidden: [0, 2],
		extras: 1,
		isSure: true,
	},
];

for (const one of cases) {
	const { graph, feeds } = built(one);
	computes(JSON.stringify(one), graph, feeds);
}

for (const swoosh of [swooshL, swooshR]) {
	const graph = new GraphBuilder("swoosh");
	const x = graph.input("x", "float32", ["R", "L"]);
	graph.output(graph.call(swoosh, [x], ["y"])[0] ?? "", "float32", ["R", "L"]);
	const values = Float32Array.from({ length: 64 }, (_, i) => i / 8 - 4);
	computes(swoosh.name, graph, { x: tensor(values, 2, 32) });
}

function computes(what: string, graph: GraphBuilder, feeds: Feeds): void {
	t.test(what, { skip }, async (t) => {
		const [right = []] = await ways.run(graph, feeds, [["none", 1]]);
		const wrong = withFunctions(graph.build(), doubled);
		const [library = [], ...ours] = await ways.run(
			{ build: () => wrong },
			feeds,
		);
		const offBy = (given: readonly Float32Array[]) =>
			apart(given[0] ?? new Float32Array(0), right[0] ?? new Float32Array(0));
		t.ok(offBy(library) > 0.3, `the function itself: ${offBy(library)}`);
		for (const one of ours) t.ok(offBy(one) < 0.05, `ours: ${offBy(one)}`);
	});
}

function withFunctions(
	graph: Graph,
	changed: (it: GraphFunction) => GraphFunction,
): Graph {
	return { ...graph, functions: graph.functions.map(changed) };
}

/** Its first output. */
function doubled(it: GraphFunction): GraphFunction {
	const [output = ""] = it.outputs;
	const half = `${output}.half`;
	const renamed = (name: string) => (name === output ? half : name);
	const nodes = it.nodes.map((node) => ({
		...node,
		inputs: node.inputs.map(renamed),
		outputs: node.outputs.map(renamed),
	}));
	const sum = {
		op: "Add",
		domain: "",
		attributes: {},
		inputs: [half, half],
		outputs: [output],
	};
	return { ...it, nodes: [...nodes, sum] };
}
