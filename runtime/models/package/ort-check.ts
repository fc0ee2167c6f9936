/**
 * The check of graph-check.ts for graphs in ONNX Runtime's own format (`.ort`, FlatBuffers): operators that every build has, weights inside the file whose size
 * fits their shape, none of them NaN. Fields are those of onnxruntime/core/flatbuffers/schema/ort.fbs; the runtime verifies the rest of the file when it opens it.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { BrokenFlatFile, FlatFile, type FlatTable } from "./flat-tables.js";
import { containsNaN } from "./float-check.js";
import { refuseOperator } from "./known-operators.js";
import { PackageError } from "./model-package.js";
import { shown } from "./tensor-check.js";
import { rankMax } from "./tensor-shape.js";

const identifier = "ORTM";
const session = { model: 1 } as const;
const model = { graph: 7 } as const;
const graph = { tensors: 0, nodes: 2, sparse: 7 } as const;
const node = { domain: 2, operator: 5, attributes: 10 } as const;
const attribute = { tensor: 6, graph: 7, tensors: 11, graphs: 12 } as const;
const tensor = {
	name: 0,
	dims: 2,
	type: 3,
	raw: 4,
	strings: 5,
	externalPlace: 6,
} as const;

/** Bits of a value, by ort.fbs's TensorDataType; without types that no CPU kernel supports. */
const bitsOf: Readonly<Record<number, number>> = {
	1: 32,
	2: 8,
	3: 8,
	4: 16,
	5: 16,
	6: 32,
	7: 64,
	9: 8,
	10: 16,
	11: 64,
	12: 32,
	13: 64,
	16: 16,
	21: 4,
	22: 4,
};
const textType = 8;
const textBytesMax = 4096;
const bytesMax = 2 ** 31 - 1;
/** Nesting of graphs. */
const depthMax = 16;

/** @throws PackageError */
export async function checkOrtGraph(
	path: string,
	name = basename(path),
): Promise<void> {
	const file = await open(path, "r");
	try {
		const { size } = await file.stat();
		if (size > bytesMax)
			throw new PackageError(`${name} is larger than its format allows`);
		const flat = new FlatFile(await file.readFile());
		const found = size >= 8 && flat.identifier === identifier;
		const root = found && flat.root().table(session.model)?.table(model.graph);
		if (!root) throw new BrokenFlatFile("there is no graph");
		await new OrtCheck(file, name).graph(root, 0);
	} catch (error) {
		if (!(error instanceof BrokenFlatFile)) throw error;
		throw new PackageError(
			`${name} is not a valid graph of ONNX Runtime's format: ${error.message}; fetch it again`,
		);
	} finally {
		await file.close();
	}
}

class OrtCheck {
	readonly #file: FileHandle;
	readonly #name: string;

	constructor(file: FileHandle, name: string) {
		this.#file = file;
		this.#name = name;
	}

	async graph(table: FlatTable, depth: number): Promise<void> {
		if (depth > depthMax)
			throw new PackageError(`${this.#name}: its graphs are nested too deeply`);
		if ((table.vector(graph.sparse, 4)?.count ?? 0) > 0)
			throw new PackageError(
				`${this.#name} has sparse weights, which are not supported in this format`,
			);
		for (const it of table.tables(graph.tensors)) await this.#tensor(it);
		for (const it of table.tables(graph.nodes)) await this.#node(it, depth);
	}

	async #node(table: FlatTable, depth: number): Promise<void> {
		const operator = table.text(node.operator, textBytesMax);
		const domain = table.text(node.domain, textBytesMax);
		refuseOperator(this.#name, operator, domain);
		for (const it of table.tables(node.attributes)) {
			const one = it.table(attribute.tensor);
			const inner = it.table(attribute.graph);
			if (one) await this.#tensor(one);
			if (inner) await this.graph(inner, depth + 1);
			for (const each of it.tables(attribute.tensors)) await this.#tensor(each);
			for (const each of it.tables(attribute.graphs))
				await this.graph(each, depth + 1);
		}
	}

	async #tensor(table: FlatTable): Promise<void> {
		const type = table.integer(tensor.type);
		const name = shown(table.text(tensor.name, textBytesMax));
		const wrong = (what: string) =>
			new PackageError(`${this.#name}: its weights ${name} ${what}`);
		if ((table.long(tensor.externalPlace) ?? -1n) >= 0n)
			throw wrong(
				"are in another file: only graphs that contain theirs are accepted",
			);
		const count = table.longs(tensor.dims, rankMax).reduce((size, dim) => {
			if (dim < 0n) throw wrong("have an impossible shape");
			return size * Number(dim);
		}, 1);
		if (type === textType) return;
		const bits = bitsOf[type];
		if (bits === undefined)
			throw wrong(`are of type ${type}, which is not supported`);
		const { start, count: bytes } = table.vector(tensor.raw, 1) ?? {
			start: 0,
			count: 0,
		};
		if (bytes !== Math.ceil((count * bits) / 8))
			throw wrong(
				`are ${bytes} bytes where their shape requires ${Math.ceil((count * bits) / 8)}`,
			);
		if (await containsNaN(this.#file, { start, end: start + bytes }, type))
			throw wrong("contain NaN: the file is damaged, or its training failed");
	}
}
