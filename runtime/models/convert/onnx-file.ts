/**
 * Serializes a graph as an ONNX file in parts, so that the weights are never all in memory. Deterministic: equal input gives equal bytes.
 */
import { byteLength, type Graph, type Initializer } from "./onnx-format.js";
import {
	checkedBytes,
	encode,
	fieldHead,
	graphMessage,
	modelMessage,
	tensorMessage,
} from "./onnx-messages.js";

/** A part of the model's file, or of the separate file with the weights of a large model. */
export type FilePart = {
	readonly file: "model" | "weights";
	readonly bytes: Uint8Array;
	/** Bytes of weights in this part, for a progress bar. */
	readonly weightBytes: number;
};

/**
 * The model's bytes in order, part by part.
 * @param weightsFile name of a separate file for the weights: a model of more than 2 GiB is not a valid protobuf.
 */
export function* modelParts(
	graph: Graph,
	weightsFile?: string,
): Generator<FilePart> {
	const tensors = tensorHeads(graph.initializers, weightsFile);
	const skeleton = encode("GraphProto", graphMessage(graph));
	let graphBytes = skeleton.length;
	for (const { lead, head, inlineBytes } of tensors)
		graphBytes += lead.length + head.length + inlineBytes;
	yield modelPart(encode("ModelProto", modelMessage(graph)));
	yield modelPart(fieldHead("ModelProto", "graph", graphBytes));
	yield modelPart(skeleton);
	for (const { initializer, lead, head, inlineBytes } of tensors) {
		yield modelPart(lead);
		yield modelPart(head);
		if (initializer.place) continue;
		const bytes = checkedBytes(initializer);
		const weightBytes = bytes.length;
		if (inlineBytes > 0) yield { file: "model", bytes, weightBytes };
		else yield { file: "weights", bytes: padded(bytes), weightBytes };
	}
}

function modelPart(bytes: Uint8Array): FilePart {
	return { file: "model", bytes, weightBytes: 0 };
}

/** Bytes of the weights; above 2 GiB they can't be inside the model's file. */
export function weightBytes(graph: Graph): number {
	return graph.initializers.reduce((sum, one) => sum + byteLength(one), 0);
}

const externalAlignment = 64;
const externalLocation = 1;
/** Small constants (shapes, axes) stay inline: shape inference needs them. */
const externalBytesMin = 1024;

function padded(bytes: Uint8Array): Uint8Array {
	const out = new Uint8Array(aligned(bytes.length));
	out.set(bytes);
	return out;
}

function aligned(length: number): number {
	return Math.ceil(length / externalAlignment) * externalAlignment;
}

/** Each tensor's message up to its raw bytes, which follow as the last field. */
function tensorHeads(initializers: readonly Initializer[], file?: string) {
	let offset = 0;
	return initializers.map((initializer) => {
		const length = byteLength(initializer);
		if (initializer.place) {
			const { file: other, offset: start } = initializer.place;
			const head = externalHead(initializer, other, start, length);
			const lead = fieldHead("GraphProto", "initializer", head.length);
			return { initializer, lead, head, inlineBytes: 0 };
		}
		const isInline = !file || length < externalBytesMin;
		const head = isInline
			? inlineHead(initializer, length)
			: externalHead(initializer, file, offset, length);
		if (!isInline) offset += aligned(length);
		const inlineBytes = isInline ? length : 0;
		const total = head.length + inlineBytes;
		const lead = fieldHead("GraphProto", "initializer", total);
		return { initializer, lead, head, inlineBytes };
	});
}

function inlineHead(initializer: Initializer, length: number): Uint8Array {
	return Buffer.concat([
		encode("TensorProto", tensorMessage(initializer)),
		fieldHead("TensorProto", "rawData", length),
	]);
}

function externalHead(
	initializer: Initializer,
	location: string,
	offset: number,
	length: number,
): Uint8Array {
	const entries = Object.entries({ location, offset, length });
	return encode("TensorProto", {
		...tensorMessage(initializer),
		externalData: entries.map(([key, value]) => ({ key, value: `${value}` })),
		dataLocation: externalLocation,
	});
}
