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
import { type OrtTable, ortSchema, typeUnion } from "./ort-schema.js";
import { rankMax } from "./tensor-shape.js";
import { notNumbers, wrongWeights } from "./weights-error.js";

const identifier = "ORTM";
const session = { model: 1 } as const;
const model = { graph: 7 } as const;
const graph = { sparse: 7 } as const;
const node = { domain: 2, operator: 5 } as const;
const tensor = {
	name: 0,
	dims: 2,
	type: 3,
	raw: 4,
	texts: 5,
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
/** Nesting of graphs, and of types. */
const depthMax = 16;
const isNested = (kind: OrtTable) => kind === "graph" || kind === "type";

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
		await new OrtCheck(file, name).check("session", flat.root());
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

	/** @param depth nesting of graphs and types. */
	async check(kind: OrtTable, table: FlatTable, depth = 0): Promise<void> {
		if (depth > depthMax)
			throw new PackageError(`${this.#name}: its graphs are nested too deeply`);
		if (kind === "graph") this.#graph(table);
		if (kind === "node") this.#node(table);
		if (kind === "tensor") await this.#tensor(table);
		const inside = (inner: OrtTable, it: FlatTable) =>
			this.check(inner, it, depth + (isNested(inner) ? 1 : 0));
		for (const [number, field] of Object.entries(ortSchema[kind])) {
			const at = Number(number);
			if (field === "text") table.checkText(at);
			else if (field === "texts") table.checkTexts(at);
			else if (typeof field === "number") table.vector(at, field);
			else if ("tables" in field)
				for (const it of table.tables(at)) await inside(field.tables, it);
			else {
				const it = table.table(at);
				if (it) await inside(field.table, it);
			}
		}
		if (kind !== "type") return;
		const inner = typeUnion.tables[table.byte(typeUnion.kind)];
		const it = inner && table.table(typeUnion.value);
		if (it) await inside(inner, it);
	}

	#graph(table: FlatTable): void {
		if ((table.vector(graph.sparse, 4)?.count ?? 0) > 0)
			throw new PackageError(
				`${this.#name} has sparse weights, which are not supported in this format`,
			);
	}

	#node(table: FlatTable): void {
		const operator = table.text(node.operator, textBytesMax);
		const domain = table.text(node.domain, textBytesMax);
		refuseOperator(this.#name, operator, domain);
	}

	async #tensor(table: FlatTable): Promise<void> {
		const type = table.integer(tensor.type);
		const name = table.text(tensor.name, textBytesMax);
		const wrong = (what: string) => wrongWeights(this.#name, name, what);
		if ((table.long(tensor.externalPlace) ?? -1n) >= 0n)
			throw wrong(
				"are in another file: only graphs that contain theirs are accepted",
			);
		const count = table.longs(tensor.dims, rankMax).reduce((size, dim) => {
			if (dim < 0n) throw wrong("have an impossible shape");
			return size * Number(dim);
		}, 1);
		if (type === textType) {
			const texts = table.checkTexts(tensor.texts);
			if (texts !== count)
				throw wrong(`are ${texts} texts where their shape requires ${count}`);
			return;
		}
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
			throw wrong(notNumbers);
	}
}
