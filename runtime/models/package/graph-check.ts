/**
 * Whether a graph is one that can be used, before anything computes it: its operators are those that ONNX Runtime brings, its weights lie in it, and all of
 * them are numbers. Field numbers are those of onnx.proto (IR version 10).
 *
 * Infinities pass: masks are made of them. What a graph really computes is what the health check hears.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { holdsNoNumber } from "./float-check.js";
import { type ModelPackage, PackageError } from "./model-package.js";
import { type Field, OnnxFields, wire } from "./onnx-fields.js";

const model = { graph: 7, function: 25 } as const;
const graph = { node: 1, initializer: 5, sparse: 15 } as const;
const node = { operator: 4, attribute: 5, domain: 7 } as const;
const attribute = { graph: 6, graphs: 11 } as const;
const tensor = {
	type: 2,
	name: 8,
	raw: 9,
	external: 13,
	location: 14,
} as const;
const tensorFloats = { float32: 4, float64: 10 } as const;
/** In a sparse tensor. */
const sparseValues = 1;
const functionOf = { name: 1, node: 7, domain: 10 } as const;
/** data_location. */
const elsewhere = 1;
/** data_type. */
const types = { float32: 1, float64: 11 } as const;

/** Of operator sets that every build of ONNX Runtime has; the first is ONNX' own. */
const domains: ReadonlySet<string> = new Set([
	"",
	"ai.onnx",
	"ai.onnx.ml",
	"com.microsoft",
	"com.microsoft.nchwc",
	"com.ms.internal.nhwc",
]);
const nameBytesMax = 4096;
/** Of graphs in graphs. */
const depthMax = 16;

/** Every graph of a package. @throws PackageError */
export async function checkGraphs(opened: ModelPackage): Promise<void> {
	const { name, files } = opened.manifest;
	for (const file of Object.keys(files))
		if (file.endsWith(".onnx"))
			await checkGraph(opened.path(file), `${name}: ${file}`);
}

/** @throws PackageError */
export async function checkGraph(
	path: string,
	name = basename(path),
): Promise<void> {
	const file = await open(path, "r");
	try {
		const { size } = await file.stat();
		await new GraphCheck(file, path, name).check(size);
	} finally {
		await file.close();
	}
}

class GraphCheck {
	readonly #fields: OnnxFields;
	/** Operators that are no other than graphs in the file itself, "domain::name". */
	readonly #own = new Set<string>();

	constructor(
		private readonly file: FileHandle,
		path: string,
		private readonly name: string,
	) {
		this.#fields = new OnnxFields(file, path);
	}

	async check(size: number): Promise<void> {
		const functions: Field[] = [];
		const graphs: Field[] = [];
		for await (const field of this.#fields.walk(0, size)) {
			if (field.wire !== wire.bytes) continue;
			if (field.number === model.function) functions.push(field);
			if (field.number === model.graph) graphs.push(field);
		}
		if (graphs.length === 0) throw this.#fields.broken();
		for (const one of functions) await this.#learn(one);
		for (const one of functions) await this.#nodesOf(one, functionOf.node, 0);
		for (const one of graphs) await this.#graph(one, 0);
	}

	async #learn(field: Field): Promise<void> {
		const texts = await this.#texts(field, [
			functionOf.name,
			functionOf.domain,
		]);
		this.#own.add(
			`${texts.get(functionOf.domain) ?? ""}::${texts.get(functionOf.name)}`,
		);
	}

	async #graph(field: Field, depth: number): Promise<void> {
		if (depth > depthMax)
			throw new PackageError(`${this.name}: graphs in graphs in graphs`);
		await this.#nodesOf(field, graph.node, depth);
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (part.wire !== wire.bytes) continue;
			if (part.number === graph.initializer) await this.#weights(part);
			if (part.number !== graph.sparse) continue;
			for await (const one of this.#fields.walk(part.start, part.end))
				if (one.number === sparseValues && one.wire === wire.bytes)
					await this.#weights(one);
		}
	}

	async #nodesOf(field: Field, number: number, depth: number): Promise<void> {
		for await (const part of this.#fields.walk(field.start, field.end))
			if (part.number === number && part.wire === wire.bytes)
				await this.#node(part, depth);
	}

	async #node(field: Field, depth: number): Promise<void> {
		const texts = await this.#texts(field, [node.operator, node.domain]);
		const domain = texts.get(node.domain) ?? "";
		const operator = texts.get(node.operator) ?? "";
		if (!domains.has(domain) && !this.#own.has(`${domain}::${operator}`))
			throw new PackageError(
				`${this.name} needs the operator ${shown(operator)} of ${shown(domain)}, which ONNX Runtime does not bring: it was made for another program, or with a library of its own`,
			);
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (part.number !== node.attribute || part.wire !== wire.bytes) continue;
			for await (const inner of this.#fields.walk(part.start, part.end))
				if (
					inner.wire === wire.bytes &&
					(inner.number === attribute.graph ||
						inner.number === attribute.graphs)
				)
					await this.#graph(inner, depth + 1);
		}
	}

	async #weights(field: Field): Promise<void> {
		let type = 0;
		let name = "";
		const values: Field[] = [];
		for await (const part of this.#fields.walk(field.start, field.end)) {
			if (part.number === tensor.type) type = part.value;
			if (part.number === tensor.name && part.wire === wire.bytes)
				name = await this.#fields.text(part, nameBytesMax);
			if (
				part.number === tensor.external ||
				(part.number === tensor.location && part.value === elsewhere)
			)
				throw new PackageError(
					`${this.name} keeps its weights in another file: only graphs that hold them are taken`,
				);
			if (part.wire === wire.bytes) values.push(part);
		}
		for (const part of values) {
			const held =
				part.number === tensor.raw
					? type
					: part.number === tensorFloats.float32
						? types.float32
						: part.number === tensorFloats.float64
							? types.float64
							: undefined;
			if (held !== undefined && (await holdsNoNumber(this.file, part, held)))
				throw new PackageError(
					`${this.name}: its weights ${shown(name)} hold values that are no numbers: it is damaged, or its training failed`,
				);
		}
	}

	async #texts(
		{ start, end }: Field,
		numbers: readonly number[],
	): Promise<Map<number, string>> {
		const texts = new Map<number, string>();
		for await (const part of this.#fields.walk(start, end))
			if (part.wire === wire.bytes && numbers.includes(part.number))
				texts.set(part.number, await this.#fields.text(part, nameBytesMax));
		return texts;
	}
}

function shown(text: string): string {
	return JSON.stringify(text.slice(0, 100));
}
