/**
 * Adds a scorer (scorer-graph.ts) to a Whisper package with int8 weights. Its weights are those of the decoder's file, so it is small.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../disk/whole-file.js";
import type { StoredConstant } from "../inference-port.js";
import type { Manifest } from "../manifest.js";
import { storedConstants } from "../package/stored-constants.js";
import { modelParts } from "./onnx-file.js";
import type { Graph, Initializer } from "./onnx-format.js";
import { numericsOf } from "./quantization.js";
import { scorerGraph } from "./scorer-graph.js";
import { badSource, type WeightSource } from "./weights.js";

const scorerFile = "scorer.onnx";
const decoderFile = "decoder.onnx";

/** Writes the file and adds it to the manifest, which it returns. @throws SourceError where the package's weights are not int8. */
export async function addScorer(folder: string): Promise<Manifest> {
	const path = join(folder, "model.json");
	const manifest: Manifest = JSON.parse(await readFile(path, "utf8"));
	const { whisper, quantization } = manifest;
	if (!whisper || quantization !== "int8")
		throw badSource(`${folder} is not a Whisper package with int8 weights`);
	const ranks = await readFile(join(folder, "tokens.tiktoken"), "utf8");
	const stored = await storedConstants(join(folder, decoderFile), 0);
	const places = new Map(stored.map((it) => [it.name, it]));
	const plan = {
		source: packagedWeights(places),
		sizes: whisper,
		numerics: numericsOf(quantization),
	};
	const vocabulary = scoredVocabulary(ranks, whisper);
	const graph = withPlaces(scorerGraph(plan, vocabulary), places);
	const bytes = Buffer.concat([...modelParts(graph)].map((one) => one.bytes));
	await writeWhole(join(folder, scorerFile), bytes);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const files = {
		...manifest.files,
		[scorerFile]: { sha256, bytes: bytes.length },
	};
	const changed = { ...manifest, files };
	await writeWhole(path, `${JSON.stringify(changed, null, "\t")}\n`);
	return changed;
}

/**
 * Tokens that Chinese texts are made of: Chinese characters, parts of characters, numbers, marks, and Latin letters one or two at a time. Other Latin words are
 * scored by the decoder.
 */
function scoredVocabulary(
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

type WeightPlaces = ReadonlyMap<string, StoredConstant>;

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
