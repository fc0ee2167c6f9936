/**
 * A streaming CTC model with the layers of a real one: the graph of a published streaming zipformer's encoder, as it is, and behind it a CTC head of random weights,
 * as icefall's export-onnx-streaming-ctc.py puts one behind the same encoder.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import protobuf from "protobufjs";
import { GraphBuilder } from "../../../runtime/models/convert/graph-builder.js";
import { modelParts } from "../../../runtime/models/convert/onnx-file.js";
import { fieldHead } from "../../../runtime/models/convert/onnx-messages.js";
import {
	favouring,
	floats,
	writeFolder,
} from "../../../test/kinds/tiny/parts.js";
import { randomOf } from "../../../test/published/recorded-random.js";

const encoderOutput = "encoder_out";
const graphField = 7;
/** Of a graph: the fields of its nodes, constants and outputs. */
const nodes = 1;
const constants = 5;
const outputs = 12;

interface Field {
	readonly id: number;
	/** With its head. */
	readonly bytes: Uint8Array;
	/** Without it, where it is a message. */
	readonly content: Uint8Array;
}

/** @param width of the encoder's output. */
export function writeCtcOfEncoder(
	from: string,
	folder: string,
	{
		width,
		symbols,
		seed,
	}: {
		readonly width: number;
		readonly symbols: readonly string[];
		readonly seed: number;
	},
): void {
	const encoder = readdirSync(from).find((it) => it.startsWith("encoder"));
	const model = fieldsOf(readFileSync(join(from, encoder ?? "")));
	const head = fieldsOf(ctcHead(width, symbols.length, seed));
	const graph = contentOf(model);
	const added = contentOf(head);
	const merged = [
		...graph.filter(({ id }) => id !== outputs),
		...added.filter(({ id }) => id === nodes || id === constants),
		...added.filter(({ id }) => id === outputs),
		// the first output is the head's: all others are states
		...graph.filter(({ id }) => id === outputs).slice(1),
	].map(({ bytes }) => bytes);
	const graphBytes = Buffer.concat(merged);
	writeFolder(folder, [], symbols);
	writeFileSync(
		join(folder, "ctc-epoch-12-avg-2-chunk-16-left-64.int8.onnx"),
		Buffer.concat([
			...model.filter(({ id }) => id !== graphField).map(({ bytes }) => bytes),
			fieldHead("ModelProto", "graph", graphBytes.length),
			graphBytes,
		]),
	);
}

function ctcHead(width: number, tokens: number, seed: number): Uint8Array {
	const random = randomOf(seed);
	const graph = new GraphBuilder("ctc-head");
	graph.input(encoderOutput, "float32", [1, "frames", width]);
	const matrix = floats(graph, "ctc_output.1", [width, tokens], 1, random);
	const product = graph.op("MatMul", [encoderOutput, matrix]);
	const bias = favouring(graph, "ctc_output.1.bias", tokens, 0, 2);
	const scores = graph.op("Add", [product, bias]);
	graph.op("LogSoftmax", [scores], { axis: -1 }, "log_probs");
	graph.output("log_probs", "float32", [1, "frames", tokens]);
	const parts = [...modelParts(graph.build())];
	return Buffer.concat(parts.map(({ bytes }) => bytes));
}

function contentOf(model: readonly Field[]): Field[] {
	const graph = model.find(({ id }) => id === graphField);
	return fieldsOf(graph?.content ?? new Uint8Array());
}

/** The fields of a message of the protocol buffers' wire format, in their order. */
function fieldsOf(message: Uint8Array): Field[] {
	const reader = protobuf.Reader.create(message);
	const fields: Field[] = [];
	while (reader.pos < reader.len) {
		const from = reader.pos;
		const tag = reader.uint32();
		const isMessage = (tag & 7) === 2;
		const content = isMessage ? reader.bytes() : new Uint8Array();
		if (!isMessage) reader.skipType(tag & 7);
		fields.push({
			id: tag >>> 3,
			bytes: message.subarray(from, reader.pos),
			content,
		});
	}
	return fields;
}
