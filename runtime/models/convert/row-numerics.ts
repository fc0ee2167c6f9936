/**
 * 8-bit integer products: weights with one scale per output channel, activations with one scale per row, computed at run time (linear-functions.ts).
 */
import assert from "node:assert/strict";
import { bytesOf, type GraphBuilder, type Value } from "./graph-builder.js";
import type { Linear } from "./linear.js";
import {
	groupInputs,
	linearFunction,
	panelOutputs,
} from "./linear-functions.js";
import type { LayerUse, Numerics, TokenChoice } from "./numerics.js";
import { elementTypes } from "./onnx-format.js";
import { quantizeRows, valuesThenScales } from "./quantize.js";
import { topLogProbs } from "./top-log-probs.js";

export class RowNumerics implements Numerics {
	readonly isPlain = false;

	linear(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		use: LayerUse = {},
	): Value {
		const inputs = this.#inputs(graph, x, linear);
		return graph.call(linearFunction(use), inputs)[0] as Value;
	}

	topLogProbs(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		{ bias, extraIds }: TokenChoice,
		outputNames: readonly Value[],
	): void {
		const ofLayer = this.#inputs(graph, x, linear);
		graph.call(topLogProbs, [...ofLayer, bias, extraIds], outputNames);
	}

	/** The chosen rows' panels are constant-folded when the graph is loaded. */
	linearOfRows(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		ids: readonly number[],
	): Value {
		const { weights, scales } = this.#weights(graph, linear);
		const panels = Math.ceil(ids.length / panelOutputs);
		const groups = linear.columns / groupInputs;
		const padding = Array(panels * panelOutputs - ids.length).fill(ids[0]);
		const chosen = graph.op("Reshape", [
			graph.op("Gather", [
				graph.op("Reshape", [
					graph.op("Transpose", [weights], { perm: [0, 2, 1, 3] }),
					graph.ints(-1, groups, groupInputs),
				]),
				constantIds(graph, "chosen_in_panels", [...ids, ...padding]),
			]),
			graph.ints(panels, panelOutputs, groups, groupInputs),
		]);
		const places = constantIds(graph, "chosen", ids);
		const inputs = [
			x,
			graph.op("Transpose", [chosen], { perm: [0, 2, 1, 3] }),
			graph.op("Gather", [scales, places]),
			graph.op("Gather", [this.#bias(graph, linear), places]),
		];
		return graph.call(linearFunction({}), inputs)[0] as Value;
	}

	/** The groups of four inputs of a row are not contiguous: a row is gathered group by group. */
	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value {
		const { weights, scales } = this.#weights(graph, linear);
		const groups = linear.columns / groupInputs;
		const wide = graph.op("Unsqueeze", [
			graph.op("Cast", [ids], { to: elementTypes.int64 }),
			graph.ints(-1, -2),
		]); // [R,L,1,1]
		const all = graph.initializer("groups", "int64", [groups, 1], () =>
			bytesOf(BigInt64Array.from({ length: groups }, (_, i) => BigInt(i))),
		);
		const zeros = graph.op("Sub", [all, all]);
		const size = graph.ints(panelOutputs);
		const panel = graph.op("Div", [wide, size]);
		const places = graph.op(
			"Concat",
			[
				graph.op("Add", [panel, zeros]),
				graph.op("Add", [graph.op("Sub", [wide, wide]), all]),
				graph.op("Add", [graph.op("Mod", [wide, size]), zeros]),
			],
			{ axis: -1 },
		); // [R,L,groups,3]
		const codes = graph.op("GatherND", [weights, places]); // [R,L,groups,4]
		const floats = graph.op("Cast", [codes], { to: elementTypes.float32 });
		const rows = graph.op("Reshape", [
			floats,
			graph.ints(0, 0, linear.columns),
		]);
		const scale = graph.op("Gather", [scales, ids]);
		return graph.op("Mul", [
			rows,
			graph.op("Unsqueeze", [scale, graph.ints(-1)]),
		]);
	}

	/** Those of `linearFunction`. */
	#inputs(graph: GraphBuilder, x: Value, linear: Linear): Value[] {
		const { weights, scales } = this.#weights(graph, linear);
		return [x, weights, scales, this.#bias(graph, linear)];
	}

	#bias(graph: GraphBuilder, { name, rows, bias }: Linear): Value {
		return graph.floats(
			`${name}/bias`,
			[rows],
			bias ?? (() => new Float32Array(rows)),
		);
	}

	/** weights [rows / 64, columns / 4, 64, 4], scales [rows] */
	#weights(graph: GraphBuilder, linear: Linear) {
		const { name, rows, columns } = linear;
		assert(columns % groupInputs === 0, "Whisper's widths are multiples of 64");
		const { values, scales } = valuesThenScales(() =>
			quantizeRows(linear.weights(), rows),
		);
		const panels = Math.ceil(rows / panelOutputs);
		const dims = [panels, columns / groupInputs, panelOutputs, groupInputs];
		return {
			weights: graph.initializer(`${name}/weight`, "int8", dims, () =>
				bytesOf(inPanels(values(), rows, columns)),
			),
			scales: graph.floats(`${name}/scale`, [rows], scales),
		};
	}
}

function constantIds(
	graph: GraphBuilder,
	name: string,
	ids: readonly number[],
): Value {
	return graph.initializer(name, "int64", [ids.length], () =>
		bytesOf(BigInt64Array.from(ids, BigInt)),
	);
}

/** [rows, columns] to [rows / 64, columns / 4, 64, 4], rows padded with zeros. */
function inPanels(values: Int8Array, rows: number, columns: number): Int8Array {
	const groups = columns / groupInputs;
	const panels = Math.ceil(rows / panelOutputs);
	const out = new Int8Array(panels * panelOutputs * columns);
	for (let row = 0; row < rows; row++) {
		const panel = Math.floor(row / panelOutputs);
		const first =
			(panel * groups * panelOutputs + (row % panelOutputs)) * groupInputs;
		for (let column = 0; column < columns; column++) {
			const group = Math.floor(column / groupInputs);
			out[first + group * panelOutputs * groupInputs + (column % groupInputs)] =
				values[row * columns + column] as number;
		}
	}
	return out;
}
