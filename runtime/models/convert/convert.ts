/**
 * Converts a directory with Whisper's weights to a model package. The package is made in a temporary folder beside the target, run once, and only then
 * renamed: a conversion that fails or is stopped leaves nothing behind. Equal sources give equal packages, byte for byte.
 */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setModeOfMade } from "../../disk/folder-owner.js";
import { writeWhole } from "../../disk/whole-file.js";
import { languages } from "../../text/languages.js";
import type { InferencePort } from "../inference-port.js";
import { type Manifest, manifestSchema } from "../manifest.js";
import { addingPrefix, replaceFolder } from "../package/placing.js";
import { addScorer } from "./add-scorer.js";
import { alignmentHeadsOf } from "./alignment-heads.js";
import { type AlignmentHeads, decoderGraph } from "./decoder-graph.js";
import { encoderGraph } from "./encoder-graph.js";
import { writeGraph } from "./graph-file.js";
import { inHalfPrecision } from "./half-precision.js";
import { weightBytes } from "./onnx-file.js";
import type { Graph } from "./onnx-format.js";
import { numericsOf, type Quantization } from "./quantization.js";
import { checkGraphs } from "./self-check.js";
import {
	openSourceDirectory,
	type SourceDirectory,
} from "./source-directory.js";
import { tokenIdsOf } from "./token-ids.js";
import { tokenRanks } from "./token-ranks.js";
import { badSource } from "./weights.js";
import { type Sizes, whisperSizes } from "./whisper-sizes.js";

export type ConvertOptions = {
	/** A directory in CTranslate2's or Hugging Face's layout. */
	readonly from: string;
	/** The package's folder; it must not exist, unless `replace` is set. */
	readonly to: string;
	readonly quantization: Quantization;
	readonly replace?: boolean;
	/** Default: the folder's name. */
	readonly name?: string;
	readonly licence?: string;
	/** Where the weights come from, for display. */
	readonly source?: string;
	/** Of a catalogue. */
	readonly edition?: string;
	/** Small files that are copied into the package, by name. */
	readonly attachments?: Readonly<Record<string, Uint8Array>>;
	readonly probe?: Manifest["probe"];
	readonly measured?: Manifest["measured"];
	/** Above this size the weights are in a separate file. */
	readonly inlineBytesMax?: number;
	readonly signal?: AbortSignal;
	/** Bytes of weights written since the last call, and in total. */
	readonly onProgress?: (bytes: number, bytesTotal: number) => void;
};

const inlineBytesMaxDefault = 2 ** 31 - 2 ** 26; // a protobuf of 2 GiB is invalid
const namePattern = new RegExp(manifestSchema.properties.name.pattern ?? "");

/** @throws SourceError when the source is invalid or incomplete, or the converted model does not run. */
export async function convertModel(
	port: InferencePort,
	options: ConvertOptions,
): Promise<Manifest> {
	const to = resolve(options.to);
	if (existsSync(to) && !options.replace)
		throw badSource(`${to} already exists: remove it or choose another`);
	const name = options.name ?? basename(to);
	if (!namePattern.test(name))
		throw badSource(
			`${JSON.stringify(name)} is not a package name: use lower-case letters, digits, dots, dashes and underscores`,
		);
	const source = openSourceDirectory(options.from);
	try {
		const parent = dirname(to);
		mkdirSync(parent, { recursive: true });
		const folder = mkdtempSync(join(parent, addingPrefix));
		setModeOfMade(folder, 0o755); // mkdtemp makes folders private
		try {
			const manifest = await makePackage(port, folder, source, {
				...options,
				name,
			});
			await replaceFolder(folder, to);
			return manifest;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	} finally {
		source.weights.close();
	}
}

async function makePackage(
	port: InferencePort,
	folder: string,
	source: SourceDirectory,
	options: ConvertOptions & { readonly name: string },
): Promise<Manifest> {
	const sizes = whisperSizes(source.weights);
	const ids = tokenIdsOf(sizes.vocabulary);
	const { settings } = source;
	const heads = alignmentHeadsOf(settings.alignmentHeads, sizes);
	const files = await writeGraphs(folder, source, sizes, heads, options);
	const small = { ...smallFiles(source), ...options.attachments };
	for (const [name, bytes] of Object.entries(small)) {
		await writeWhole(join(folder, name), bytes);
		files[name] = entryOf(bytes);
	}
	await checkGraphs(
		port,
		join(folder, graphFiles.encoder),
		join(folder, graphFiles.decoder),
		sizes,
	);
	const manifest: Manifest = {
		schema: 1,
		name: options.name,
		kind: "whisper",
		languages: [...languages],
		licence: options.licence ?? "unknown",
		source: options.source ?? source.weights.description,
		...(options.edition && { edition: options.edition }),
		quantization: options.quantization,
		files,
		whisper: {
			...sizes,
			alignmentHeads: heads.length,
			suppress: [...settings.suppress],
			suppressFirst: [...settings.suppressFirst],
			...ids,
			languageTokens: { ...ids.languageTokens },
		},
		...(options.probe && { probe: options.probe }),
		...(options.measured && { measured: options.measured }),
	};
	const text = `${JSON.stringify(manifest, null, "\t")}\n`;
	await writeWhole(join(folder, "model.json"), text);
	// a decoder of more than 2 GiB has its weights in another file, and is too slow to choose between texts
	const hasScorer =
		options.quantization === "int8" && !(`${graphFiles.decoder}.data` in files);
	return hasScorer ? addScorer(folder) : manifest;
}

const graphFiles = { encoder: "encoder.onnx", decoder: "decoder.onnx" };

async function writeGraphs(
	folder: string,
	source: SourceDirectory,
	sizes: Sizes,
	heads: AlignmentHeads,
	options: ConvertOptions,
): Promise<Manifest["files"]> {
	const plan = () => ({
		source: source.weights,
		sizes,
		numerics: numericsOf(options.quantization),
	});
	const finished =
		options.quantization === "half"
			? inHalfPrecision
			: (graph: Graph): Graph => graph;
	const encoder = finished(encoderGraph(plan()));
	const decoder = finished(decoderGraph(plan(), heads));
	const bytesTotal = weightBytes(encoder) + weightBytes(decoder);
	const files: Manifest["files"] = {};
	for (const [file, graph] of [
		[graphFiles.encoder, encoder],
		[graphFiles.decoder, decoder],
	] as const)
		Object.assign(
			files,
			await writeGraph(folder, file, graph, {
				inlineBytesMax: options.inlineBytesMax ?? inlineBytesMaxDefault,
				signal: options.signal,
				onBytes: (bytes) => options.onProgress?.(bytes, bytesTotal),
			}),
		);
	return files;
}

function smallFiles(source: SourceDirectory): Record<string, Uint8Array> {
	const ranks = Buffer.from(tokenRanks(source.vocabulary));
	const { licensePath, noticePath } = source;
	return {
		"tokens.tiktoken": ranks,
		...(licensePath && { LICENSE: readFileSync(licensePath) }),
		...(noticePath && { NOTICE: readFileSync(noticePath) }),
	};
}

function entryOf(bytes: Uint8Array) {
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	return { sha256, bytes: bytes.length };
}
