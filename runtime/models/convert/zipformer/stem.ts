/** The convolutions in front of a zipformer: x [1, frames, mels] -> [rows, width], two frames to a row. */
import type { GraphBuilder, OwnFunction, Value } from "../graph-builder.js";
import type { ExportedWeights } from "./exported-weights.js";
import { addMatrix, addNorm } from "./parts.js";
import type { ZipformerSizes } from "./sizes.js";
import { swooshL, swooshR } from "./swoosh.js";

/** Rows that the convolution over time sees before and after its own. */
const margin = 3;

export function addStem(
	graph: GraphBuilder,
	weights: ExportedWeights,
	{ mels }: ZipformerSizes,
): Value {
	const x = graph.input("x", "float32", [1, "frames", mels]);
	const convolve = (
		from: Value,
		name: string,
		attributes: Record<string, number | readonly number[]>,
		swoosh?: OwnFunction,
	): Value => {
		const { weight, bias } = weights.convolution(`encoder_embed.${name}`);
		const out = graph.op(
			"Conv",
			[
				from,
				graph.floats(`${name}.weight`, weight.dims, () => weight.values),
				graph.floats(`${name}.bias`, [bias.length], () => bias),
			],
			{ kernel_shape: weight.dims.slice(2), ...attributes },
		);
		return swoosh ? (graph.call(swoosh, [out])[0] ?? "") : out;
	};
	const image = graph.op("Unsqueeze", [x, graph.ints(1)]);
	const first = convolve(image, "conv.0", { pads: [0, 1, 0, 1] }, swooshR);
	const second = convolve(first, "conv.4", { strides: [2, 2] }, swooshR);
	const third = convolve(second, "conv.7", { strides: [1, 2] }, swooshR);
	const { weight } = weights.convolution("encoder_embed.conv.7");
	const [channels = 0] = weight.dims;
	const state = graph.input("embed_states", "float32", [
		1,
		channels,
		margin,
		bandsOf(mels),
	]);
	const all = graph.op("Concat", [state, third], { axis: 2 });
	const next = "new_embed_states";
	graph.op(
		"Slice",
		[all, graph.ints(-2 * margin), graph.ints(-margin), graph.ints(2)],
		{},
		next,
	);
	graph.output(next, "float32", [1, channels, margin, bandsOf(mels)]);
	const seen = convolve(all, "convnext.depthwise_conv", {
		group: channels,
		pads: [0, margin, 0, margin],
	});
	const wide = convolve(seen, "convnext.pointwise_conv1", {}, swooshL);
	const changed = convolve(wide, "convnext.pointwise_conv2", {});
	const own = graph.slice(third, 2, 0, -margin);
	const sum = graph.op("Add", [own, changed]);
	const turned = graph.op("Transpose", [sum], { perm: [0, 2, 1, 3] });
	const size = channels * bandsOf(mels);
	const rows = graph.op("Reshape", [turned, graph.ints(-1, size)]);
	const out = "encoder_embed.out";
	const projected = addMatrix(graph, rows, out, weights.matrix(out));
	const norm = "encoder_embed.out_norm";
	return addNorm(graph, projected, norm, weights.norm(norm));
}

/** What two strides of two leave of the mel bands. */
function bandsOf(mels: number): number {
	return (((mels - 1) >> 1) - 1) >> 1;
}
