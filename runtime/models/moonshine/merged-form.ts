/** What the inputs of a merged decoder say of it; it has no metadata. */
import type { InferenceSession } from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/** Tensors of a layer's past: keys and values of the text, then those of the audio. */
export const pastOfLayer = 4;
const maskName = "encoder_attention_mask";

/** The decoder's inputs: with or without a mask, tokens, the encoded audio, the past, and whether there is one. */
export interface DecoderForm {
	readonly hasMask: boolean;
	readonly layers: number;
	readonly heads: number;
	/** Of a head. */
	readonly width: number;
	/** Whether it takes several segments, and a mask of each. */
	readonly takesBatches: boolean;
}

/** @throws ModelFault when it is no merged decoder */
export function formOf(decoder: InferenceSession): DecoderForm {
	const { inputs, inputNames, outputNames } = decoder;
	const hasMask = inputNames[0]?.includes(maskName) ?? false;
	const others = hasMask ? 4 : 3;
	const layers = Math.floor((inputNames.length - others) / pastOfLayer);
	const past = inputs[others - 1];
	const [rows, heads, , width] = past?.dims ?? [];
	const fits =
		layers > 0 &&
		inputNames.length === others + layers * pastOfLayer &&
		outputNames.length === 1 + layers * pastOfLayer &&
		inputs.at(-1)?.type === "bool" &&
		isSize(heads) &&
		isSize(width);
	if (!fits)
		throw new ModelFault(
			`the decoder is another graph than expected: it has the inputs ${inputNames.join(", ")} and the outputs ${outputNames.join(", ")}, not those of a merged decoder`,
		);
	return {
		hasMask,
		layers,
		heads,
		width,
		takesBatches: hasMask && !isSize(rows),
	};
}

/** Dynamic dimensions have a name, or are negative. */
function isSize(dim: number | string | undefined): dim is number {
	return typeof dim === "number" && dim > 0;
}
