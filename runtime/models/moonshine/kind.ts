/** Moonshine as k2-fsa publishes it. */
import {
	modelKind,
	type PublishedFolder,
	type PublishedKind,
	type PublishedParts,
} from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import type { MoonshineSource } from "./recognizer.js";
import { type MoonshineShape, moonshineShapeSchema } from "./shape.js";

const splitGraphs = {
	preprocess: "preprocess.onnx",
	encode: "encode.onnx",
	uncachedDecode: "uncached_decode.onnx",
	cachedDecode: "cached_decode.onnx",
} as const;
/** How the names of published files begin. */
const mergedGraphs = {
	encoder: "encoder_model",
	decoder: "decoder_model_merged",
} as const;

/**
 * Its graphs have no metadata, and its symbols are those of all languages: a multilingual one says in the name of its folder which it recognizes
 * (sherpa-onnx-moonshine-base-zh-quantized-2026-02-27).
 */
const published: PublishedKind<MoonshineShape> = {
	graph: ["uncached_decode", mergedGraphs.decoder],
	read: async (folder) => {
		if (!folder.has("uncached_decode")) return readMerged(folder);
		if (!folder.has(mergedGraphs.decoder)) return readSplit(folder);
		const [first, second] = ["uncached_decode", mergedGraphs.decoder].map(
			(it) => folder.pick(it, "int8"),
		);
		return {
			unsuitable: `there are two models, ${first} and ${second}: put each in a folder of its own`,
		};
	},
};

function readSplit(folder: PublishedFolder): PublishedParts<MoonshineShape> {
	const files = Object.values(splitGraphs).map((file) => {
		const part = file.replace(/\.onnx$/, "");
		return [file, folder.pick(part, "int8")] as const;
	});
	return {
		languages: languageOf(folder.name),
		shape: { decoders: "split", format: "onnx" },
		files: { ...Object.fromEntries(files), "tokens.txt": "tokens.txt" },
	};
}

function readMerged(
	folder: PublishedFolder,
): PublishedParts<MoonshineShape> | { unsuitable: string } {
	const encoder = folder.pick(mergedGraphs.encoder, "int8");
	const decoder = folder.pick(mergedGraphs.decoder, "int8");
	const format = encoder.endsWith(".ort") ? "ort" : "onnx";
	if (!decoder.endsWith(`.${format}`))
		return {
			unsuitable: `${encoder} and ${decoder} are in different formats: keep only the files of one model`,
		};
	return {
		languages: languageOf(folder.name),
		shape: { decoders: "merged", format },
		files: {
			[`encoder.${format}`]: encoder,
			[`decoder.${format}`]: decoder,
			"tokens.txt": "tokens.txt",
		},
	};
}

const named: Readonly<Record<string, string>> = {
	en: "en-US",
	ja: "ja-JP",
	zh: "zh-cmn-Hans-CN",
};

function languageOf(folderName: string): string[] {
	const [, code = ""] =
		/moonshine-(?:tiny|base)-([a-z]{2})(?![a-z])/.exec(folderName) ?? [];
	const language = named[code];
	return language === undefined ? [] : [language];
}

/** Paths of a package's graphs. @param path of a file in it */
export function moonshinePaths(
	shape: MoonshineShape,
	path: (file: string) => string,
): MoonshineSource["paths"] {
	if (shape.decoders === "split")
		return {
			decoders: shape.decoders,
			preprocess: path(splitGraphs.preprocess),
			encode: path(splitGraphs.encode),
			uncachedDecode: path(splitGraphs.uncachedDecode),
			cachedDecode: path(splitGraphs.cachedDecode),
		};
	return {
		decoders: shape.decoders,
		encoder: path(`encoder.${shape.format}`),
		decoder: path(`decoder.${shape.format}`),
	};
}

export const moonshine = modelKind({
	name: "moonshine",
	files: ["tokens.txt"],
	shape: { key: "moonshine", schema: moonshineShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openMoonshine,
		(path, shape) => ({ paths: moonshinePaths(shape, path) }),
	),
});
