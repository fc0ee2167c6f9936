/**
 * A folder of graphs as k2-fsa publishes them for sherpa-onnx, recognised by its files and by what the graphs say of themselves: what its manifest has to
 * tell, and which of its files are taken under which names.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest, SpeechKind } from "../manifest.js";
import { type SymbolUnits, unitsOf } from "../writing/symbol-table.js";
import { PackageError } from "./model-package.js";
import { readOnnxMetadata } from "./onnx-metadata.js";

export interface PublishedModel {
	readonly kind: SpeechKind;
	readonly languages: readonly string[];
	readonly shapes: Pick<Manifest, "zipformer" | "senseVoice">;
	/** Names in the package, and where each lies now. */
	readonly files: Readonly<Record<string, string>>;
	readonly quantization: string;
}

type Metadata = ReadonlyMap<string, string>;

const tokensBytesMax = 16 * 1024 * 1024;
const mels = 80;

/** @throws PackageError when it is nothing that is known */
export async function readPublishedModel(
	folder: string,
): Promise<PublishedModel> {
	const names = await namesIn(folder);
	const tokens = names.find((it) => it === "tokens.txt");
	if (tokens === undefined) throw unknown(folder, "there is no tokens.txt");
	const text = await readFile(join(folder, tokens), "utf8");
	if (text.length > tokensBytesMax)
		throw new PackageError(`${folder}: tokens.txt is too large`);
	if (names.some((it) => /^encoder.*\.onnx$/.test(it)))
		return zipformerOf(folder, names, text);
	if (names.some((it) => /^model.*\.onnx$/.test(it)))
		return senseVoiceOf(folder, names);
	throw unknown(folder, "there is neither an encoder*.onnx nor a model*.onnx");
}

async function zipformerOf(
	folder: string,
	names: readonly string[],
	tokens: string,
): Promise<PublishedModel> {
	// what the encoder computes is nearly all; a decoder in eight bits saves nothing
	const encoder = pick(folder, names, "encoder", true);
	const decoder = pick(folder, names, "decoder", false);
	const joiner = pick(folder, names, "joiner", true);
	const of = await readOnnxMetadata(join(folder, encoder));
	const type = of.get("model_type") ?? "unnamed";
	if (type !== "zipformer" && type !== "zipformer2")
		throw unknown(folder, `${encoder} says it is of type ${type}`);
	const said = await readOnnxMetadata(join(folder, decoder));
	const units = unitsOf(tokens);
	return {
		kind: "zipformer",
		languages: languagesOf(tokens, units),
		shapes: {
			zipformer: {
				chunkFrames: numberOf(of, "T", encoder),
				hopFrames: numberOf(of, "decode_chunk_len", encoder),
				mels,
				contextSize: numberOf(said, "context_size", decoder),
				vocabulary: numberOf(said, "vocab_size", decoder),
				units,
			},
		},
		files: {
			"encoder.onnx": join(folder, encoder),
			"decoder.onnx": join(folder, decoder),
			"joiner.onnx": join(folder, joiner),
			"tokens.txt": join(folder, "tokens.txt"),
		},
		quantization: quantizationOf(encoder),
	};
}

async function senseVoiceOf(
	folder: string,
	names: readonly string[],
): Promise<PublishedModel> {
	const model = pick(folder, names, "model", true);
	const of = await readOnnxMetadata(join(folder, model));
	const type = of.get("model_type") ?? "unnamed";
	if (type !== "sense_voice_ctc")
		throw unknown(folder, `${model} says it is of type ${type}`);
	const number = (key: string) => numberOf(of, key, model);
	return {
		kind: "sense-voice",
		languages: [
			"ja-JP",
			"en-US",
			"zh-cmn-Hans-CN",
			"ja-JP-en-US",
			"zh-cmn-Hans-CN-en-US",
		],
		shapes: {
			senseVoice: {
				windowFrames: number("lfr_window_size"),
				hopFrames: number("lfr_window_shift"),
				sixteenBit: number("normalize_samples") === 0,
				vocabulary: number("vocab_size"),
				languageIds: {
					auto: number("lang_auto"),
					zh: number("lang_zh"),
					en: number("lang_en"),
					ja: number("lang_ja"),
				},
				withMarks: number("with_itn"),
				withoutMarks: number("without_itn"),
				negativeMean: numbersOf(of, "neg_mean", model),
				inverseDeviation: numbersOf(of, "inv_stddev", model),
			},
		},
		files: {
			"model.onnx": join(folder, model),
			"tokens.txt": join(folder, "tokens.txt"),
		},
		quantization: quantizationOf(model),
	};
}

async function namesIn(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true });
		return entries.filter((it) => it.isFile()).map((it) => it.name);
	} catch {
		throw new PackageError(`${folder} is no folder of a model`);
	}
}

function pick(
	folder: string,
	names: readonly string[],
	part: string,
	small: boolean,
): string {
	const found = names
		.filter((it) => it.startsWith(part) && it.endsWith(".onnx"))
		.sort();
	const isSmall = (name: string) => name.endsWith(".int8.onnx");
	const name = found.find((it) => isSmall(it) === small) ?? found[0];
	if (name === undefined) throw unknown(folder, `there is no ${part}*.onnx`);
	return name;
}

function quantizationOf(name: string): string {
	return name.endsWith(".int8.onnx") ? "int8" : "fp32";
}

function numberOf(of: Metadata, key: string, file: string): number {
	const text = of.get(key);
	const value = Number(text);
	if (text === undefined || !Number.isInteger(value))
		throw new PackageError(
			`${file}: its metadata has no number ${key}${text === undefined ? "" : ` but ${JSON.stringify(text.slice(0, 40))}`}`,
		);
	return value;
}

function numbersOf(of: Metadata, key: string, file: string): number[] {
	const values = (of.get(key) ?? "").split(",").map(Number);
	if (values.length < 2 || values.some((it) => !Number.isFinite(it)))
		throw new PackageError(`${file}: its metadata has no numbers ${key}`);
	return values;
}

/** By the scripts that its symbols are of. */
function languagesOf(tokens: string, units: SymbolUnits): string[] {
	if (units === "pinyin") return ["zh-cmn-Hans-CN"];
	const has = (pattern: RegExp) => pattern.test(tokens);
	const japanese = has(/\p{Script=Hiragana}|\p{Script=Katakana}/u);
	const chinese = has(/\p{Script=Han}/u);
	const english = has(/^\u2581?[A-Za-z]{2,}\s/mu);
	if (japanese) return english ? ["ja-JP", "en-US", "ja-JP-en-US"] : ["ja-JP"];
	if (chinese)
		return english
			? ["zh-cmn-Hans-CN", "en-US", "zh-cmn-Hans-CN-en-US"]
			: ["zh-cmn-Hans-CN"];
	return ["en-US"];
}

function unknown(folder: string, why: string): PackageError {
	return new PackageError(
		`${folder} is no model that is known: ${why}; wanted are a package of earshot's, or a streaming zipformer or SenseVoice as sherpa-onnx takes it`,
	);
}
