/**
 * Checks whether a graph can be used before anything runs it: its operators are ones that ONNX Runtime includes, its constants are inside the file
 * or another one of the package (tensor-check.ts), and none of them is NaN. Field numbers are those of onnx.proto (IR version 10).
 *
 * Infinities are allowed: masks use them. The health check tests what a graph actually computes.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import type { OtherFiles } from "./external-weights.js";
import { FunctionCalls, type FunctionName } from "./function-calls.js";
import { refuseOperator } from "./known-operators.js";
import { type ModelPackage, PackageError } from "./model-package.js";
import { type Field, nameBytesMax, OnnxFields, wire } from "./onnx-fields.js";
import { checkOrtGraph } from "./ort-check.js";
import { TensorCheck } from "./tensor-check.js";

type Message =
	| "training"
	| "graph"
	| "function"
	| "node"
	| "attribute"
	| "tensor"
	| "sparse";

/** Every place in a file where a constant, a path or an operator may occur: the messages that each message contains, by field number. */
const contents: Readonly<
	Record<"model" | Message, Readonly<Record<number, Message>>>
> = {
	model: { 7: "graph", 20: "training", 25: "function" },
	training: { 1: "graph", 2: "graph" },
	graph: { 1: "node", 5: "tensor", 15: "sparse" },
	function: { 7: "node", 11: "attribute" },
	node: { 5: "attribute" },
	attribute: {
		5: "tensor",
		6: "graph",
		10: "tensor",
		11: "graph",
		22: "sparse",
		23: "sparse",
	},
	tensor: {},
	sparse: {},
};
/** Fields that may occur only once: protobuf merges repeated ones into a message that this check would not have seen. */
const once: Readonly<Partial<Record<Message, readonly number[]>>> = {
	attribute: [5, 22],
};
const node = { operator: 4, domain: 7, overload: 8 } as const;
const functionOf = { name: 1, domain: 10, overload: 13 } as const;

/** Nesting of graphs. */
const depthMax = 16;

/** Checks every graph of a package. @throws PackageError */
export async function checkGraphs(opened: ModelPackage): Promise<void> {
	const { name, files } = opened.manifest;
	const all = Object.entries(files).map(
		([file, { bytes }]) => [file, { path: opened.path(file), bytes }] as const,
	);
	for (const file of Object.keys(files))
		if (file.endsWith(".ort"))
			await checkOrtGraph(opened.path(file), `${name}: ${file}`);
		else if (file.endsWith(".onnx")) {
			const others = new Map(all.filter(([other]) => other !== file));
			await checkGraph(opened.path(file), `${name}: ${file}`, others);
		}
}

/**
 * @param otherFiles of the package, which the graph may read weights from.
 * @throws PackageError
 */
export async function checkGraph(
	path: string,
	name = basename(path),
	otherFiles: OtherFiles = new Map(),
): Promise<void> {
	const file = await open(path, "r");
	try {
		const { size } = await file.stat();
		await new GraphCheck(file, path, name, otherFiles).check(size);
	} finally {
		await file.close();
	}
}

class GraphCheck {
	readonly #name: string;
	readonly #fields: OnnxFields;
	readonly #tensors: TensorCheck;
	/** Operators that the file itself defines as functions. */
	readonly #functions: FunctionCalls;

	constructor(
		file: FileHandle,
		path: string,
		name: string,
		otherFiles: OtherFiles,
	) {
		this.#name = name;
		this.#fields = new OnnxFields(file, path);
		this.#tensors = new TensorCheck(file, this.#fields, name, otherFiles);
		this.#functions = new FunctionCalls(name);
	}

	async check(size: number): Promise<void> {
		const parts: { message: Message; field: Field }[] = [];
		for await (const field of this.#fields.walk(0, size)) {
			const message = contents.model[field.number];
			if (message && field.wire === wire.bytes) parts.push({ message, field });
		}
		if (!parts.some(({ message }) => message === "graph"))
			throw this.#fields.broken();
		for (const { message, field } of parts)
			if (message === "function")
				this.#functions.add(await this.#texts(field, functionOf));
		for (const { message, field } of parts) {
			this.#functions.enter(
				message === "function"
					? await this.#texts(field, functionOf)
					: undefined,
			);
			await this.#checkMessage(message, field, 0);
		}
		this.#functions.check();
	}

	/** @param depth nesting of graphs. */
	async #checkMessage(
		message: Message,
		field: Field,
		depth: number,
	): Promise<void> {
		if (message === "tensor") await this.#tensors.tensor(field);
		if (message === "sparse") await this.#tensors.sparse(field);
		if (message === "node") await this.#operator(field);
		const seen = new Set<number>();
		for await (const part of this.#fields.walk(field.start, field.end)) {
			const inner = contents[message][part.number];
			if (!inner || part.wire !== wire.bytes) continue;
			if (once[message]?.includes(part.number) && seen.has(part.number))
				throw new PackageError(`${this.#name}: an attribute has two values`);
			seen.add(part.number);
			const below = message === "attribute" && inner === "graph" ? 1 : 0;
			if (depth + below > depthMax)
				throw new PackageError(
					`${this.#name}: its graphs are nested too deeply`,
				);
			await this.#checkMessage(inner, part, depth + below);
		}
	}

	async #operator(field: Field): Promise<void> {
		const called = await this.#texts(field, {
			name: node.operator,
			domain: node.domain,
			overload: node.overload,
		});
		if (this.#functions.call(called)) return;
		const { name, domain } = called;
		refuseOperator(this.#name, name, domain);
	}

	async #texts(
		{ start, end }: Field,
		numbers: Readonly<Record<keyof FunctionName, number>>,
	): Promise<FunctionName> {
		const texts = { name: "", domain: "", overload: "" };
		for await (const part of this.#fields.walk(start, end))
			for (const key of ["name", "domain", "overload"] as const)
				if (part.wire === wire.bytes && part.number === numbers[key])
					texts[key] = await this.#fields.text(part, nameBytesMax);
		return texts;
	}
}
