/**
 * Adds a scorer (scorer-graph.ts) to a Whisper package with int8 weights. Its weights are those of the decoder's file, so it is small.
 */
import { createHash } from "node:crypto";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../manifest.js";
import { OnnxFields, wire } from "../package/onnx-fields.js";
import { modelParts } from "./onnx-file.js";
import type { Graph, Initializer } from "./onnx-format.js";
import { numericsOf } from "./quantization.js";
import { scorerGraph } from "./scorer-graph.js";
import { badSource, type WeightSource } from "./weights.js";

export const scorerFile = "scorer.onnx";
const decoderFile = "decoder.onnx";

/** Writes the file and adds it to the manifest, which it returns. @throws SourceError where the package's weights are not int8. */
export async function addScorer(folder: string): Promise<Manifest> {
	const path = join(folder, "model.json");
	const manifest: Manifest = JSON.parse(await readFile(path, "utf8"));
	const { whisper, quantization } = manifest;
	if (!whisper || quantization !== "int8")
		throw badSource(`${folder} is not a Whisper package with int8 weights`);
	const ranks = await readFile(join(folder, "tokens.tiktoken"), "utf8");
	const places = await weightPlaces(join(folder, decoderFile));
	const plan = {
		source: packagedWeights(places),
		sizes: whisper,
		numerics: numericsOf(quantization),
	};
	const vocabulary = scoredVocabulary(ranks, whisper);
	const graph = withPlaces(scorerGraph(plan, vocabulary), places);
	const bytes = Buffer.concat([...modelParts(graph)].map((one) => one.bytes));
	await writeFile(join(folder, scorerFile), bytes);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const files = {
		...manifest.files,
		[scorerFile]: { sha256, bytes: bytes.length },
	};
	const changed = { ...manifest, files };
	await writeFile(path, `${JSON.stringify(changed, null, "\t")}\n`);
	return changed;
}

/**
 * Tokens that Chinese texts are made of: Chinese characters, parts of characters, numbers, marks, and Latin letters one or two at a time. Other Latin words are
 * scored by the decoder.
 */
export function scoredVocabulary(
	ranks: string,
	{ suppress, special }: NonNullable<Manifest["whisper"]>,
): number[] {
	const ids = [special.endOfText];
	for (const line of ranks.split("\n")) {
		const [base64 = "", id] = line.split(" ");
		if (id === undefined || suppress.includes(Number(id))) continue;
		const text = Buffer.from(base64, "base64").toString("utf8");
		if (isOfChinese(text)) ids.push(Number(id));
	}
	return ids.sort((a, b) => a - b);
}

const lettersMax = 2;

function isOfChinese(text: string): boolean {
	if (text.includes("\ufffd") || /\p{Script=Han}/u.test(text)) return true;
	if (/^[\s\p{P}\p{S}]+$/u.test(text) || /\d/.test(text)) return true;
	return /^[ -~]*$/.test(text) && text.trim().length <= lettersMax;
}

interface WeightPlace {
	readonly dims: readonly number[];
	readonly offset: number;
	readonly bytes: number;
}

type WeightPlaces = ReadonlyMap<string, WeightPlace>;

const graphField = 7;
const initializerField = 5;
const tensorFields = { dims: 1, name: 8, raw: 9 } as const;
const nameBytesMax = 4096;

/** Where in a graph's file the values of its constants are. */
async function weightPlaces(path: string): Promise<WeightPlaces> {
	const places = new Map<string, WeightPlace>();
	const file = await open(path, "r");
	try {
		const fields = new OnnxFields(file, path);
		const { size } = await file.stat();
		for await (const model of fields.walk(0, size)) {
			if (model.number !== graphField) continue;
			for await (const part of fields.walk(model.start, model.end)) {
				if (part.number !== initializerField) continue;
				let name = "";
				const dims: number[] = [];
				let offset = 0;
				let bytes = 0;
				for await (const it of fields.walk(part.start, part.end)) {
					if (it.number === tensorFields.name)
						name = await fields.text(it, nameBytesMax);
					if (it.number === tensorFields.dims && it.wire === wire.varint)
						dims.push(it.value);
					if (it.number === tensorFields.dims && it.wire === wire.bytes)
						await fields.varints(it, (dim) => dims.push(dim));
					if (it.number === tensorFields.raw) {
						offset = it.start;
						bytes = it.end - it.start;
					}
				}
				places.set(name, { dims, offset, bytes });
			}
		}
	} finally {
		await file.close();
	}
	return places;
}

/** Shapes of a package's weights as those of its source; the values are not read. */
function packagedWeights(places: WeightPlaces): WeightSource {
	const dims = (name: string) => {
		const found = places.get(name);
		if (!found) throw badSource(`${decoderFile} has no ${name}`);
		const scale = places.get(name.replace(/weight$/, "scale"));
		const [, groups = 0, , inputs = 0] = found.dims;
		return name.endsWith("/weight") && scale
			? [scale.dims[0] ?? 0, groups * inputs]
			: found.dims;
	};
	return {
		description: decoderFile,
		has: (name) => places.has(name),
		dims,
		read: (name) => {
			throw badSource(`${name} should be in ${decoderFile}`);
		},
		close: () => {},
	};
}

/** Constants that the decoder's file has are read from there. */
function withPlaces(graph: Graph, places: WeightPlaces): Graph {
	const placed = (one: Initializer): Initializer => {
		const found = places.get(one.name);
		return found && one.name.startsWith("decoder/")
			? { ...one, place: { file: decoderFile, offset: found.offset } }
			: one;
	};
	return { ...graph, initializers: graph.initializers.map(placed) };
}
