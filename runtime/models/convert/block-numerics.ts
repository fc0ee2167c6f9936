/**
 * 4-bit weights in blocks of 32 with one scale each (MatMulNBits): half the memory of int8, a slower encoder, some loss. The convolutions
 * and the output embedding keep 8 bits.
 */
import assert from "node:assert/strict";
import {
	bytesOf,
	type GraphBuilder,
	none,
	type Value,
} from "./graph-builder.js";
import type { Linear } from "./linear.js";
import { addEnding, type LayerUse, type Numerics } from "./numerics.js";
import { elementTypes } from "./onnx-format.js";
import { quantizeBlocks, valuesThenScales } from "./quantize.js";

const blockSize = 32;
/** Activations are quantized to 8 bits, per row and block. */
const accuracyLevel = 4;

export class BlockNumerics implements Numerics {
	readonly isPlain = false;

	linear(
		graph: GraphBuilder,
		x: Value,
		linear: Linear,
		use: LayerUse = {},
	): Value {
		const { name, rows, columns, bias } = linear;
		const { weights, scales } = this.#weights(graph, linear);
		const inputs = [x, weights, scales];
		if (bias)
			inputs.push(none, none, graph.floats(`${name}/bias`, [rows], bias));
		const [product] = graph.contrib("MatMulNBits", inputs, {
			K: columns,
			N: rows,
			bits: bitsOf(linear),
			block_size: blockSize,
			accuracy_level: accuracyLevel,
		});
		return addEnding(graph, product as Value, use);
	}

	gatherRows(graph: GraphBuilder, ids: Value, linear: Linear): Value {
		const { rows, columns } = linear;
		assert(bitsOf(linear) === 8, "pairs of 4-bit codes can't be gathered");
		const { weights, scales } = this.#weights(graph, linear);
		const blocks = Math.ceil(columns / blockSize);
		const perBlock = graph.op("Reshape", [scales, graph.ints(rows, blocks, 1)]);
		const codes = graph.op("Cast", [graph.op("Gather", [weights, ids])], {
			to: elementTypes.float32,
		});
		const centred = graph.op("Sub", [codes, graph.float(128)]);
		const scaled = graph.op("Mul", [
			centred,
			graph.op("Gather", [perBlock, ids]),
		]);
		return graph.op("Reshape", [scaled, graph.ints(0, 0, columns)]);
	}

	#weights(graph: GraphBuilder, linear: Linear) {
		const { name, rows, columns } = linear;
		const bits = bitsOf(linear);
		const blocks = Math.ceil(columns / blockSize);
		const { values, scales } = valuesThenScales(() =>
			quantizeBlocks(linear.weights(), columns, blockSize, bits),
		);
		const dims = [rows, blocks, (blockSize * bits) / 8];
		return {
			weights: graph.initializer(`${name}/weight`, "uint8", dims, () =>
				bytesOf(values()),
			),
			scales: graph.floats(`${name}/scale`, [rows * blocks], scales),
		};
	}
}

function bitsOf({ keeps8Bits }: Linear): 4 | 8 {
	return keeps8Bits ? 8 : 4;
}
