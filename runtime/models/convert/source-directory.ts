/**
 * A directory with a Whisper model in the layout of CTranslate2 (model.bin) or Hugging Face (model.safetensors): its weights and its
 * configuration.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { fits } from "../../json/json-schema.js";
import { CTranslate2Source } from "./ctranslate2-source.js";
import { SafetensorsSource } from "./safetensors-source.js";
import { badSource, type WeightSource } from "./weights.js";

export type SourceSettings = {
	/** Not validated yet; undefined where the configuration does not have it. */
	readonly alignmentHeads: unknown;
	readonly suppress: readonly number[];
	readonly suppressFirst: readonly number[];
};

export type SourceDirectory = {
	readonly weights: WeightSource;
	readonly settings: SourceSettings;
	/** Tokens by id, in GPT-2's spelling. */
	readonly vocabulary: readonly string[];
	/** File with the licence's text beside the weights, if there is one. */
	readonly licensePath: string | undefined;
	/** File with what has to go with the model, if there is one. */
	readonly noticePath: string | undefined;
};

const jsonBytesMax = 64 * 1024 * 1024;
const licenseNames = ["LICENSE", "LICENSE.txt", "LICENSE.md"];

/** @throws SourceError */
export function openSourceDirectory(directory: string): SourceDirectory {
	if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
		throw badSource(
			`${directory} is not a directory: use the one that contains model.bin or model.safetensors`,
		);
	const firstOf = (names: readonly string[]) =>
		names.map((name) => join(directory, name)).find((path) => existsSync(path));
	const licensePath = firstOf(licenseNames);
	const noticePath = firstOf(["NOTICE"]);
	const weights = openWeights(directory);
	try {
		const settings = readSettings(directory);
		const vocabulary = readVocabulary(directory);
		return { weights, settings, vocabulary, licensePath, noticePath };
	} catch (error) {
		weights.close();
		throw error;
	}
}

function openWeights(directory: string): WeightSource {
	const binary = join(directory, "model.bin");
	if (existsSync(binary)) return CTranslate2Source.open(binary);
	const tensors = join(directory, "model.safetensors");
	if (existsSync(tensors)) return SafetensorsSource.open(tensors);
	throw badSource(
		`${directory} contains neither model.bin (CTranslate2) nor model.safetensors (Hugging Face, in one file)`,
	);
}

const ids = Type.Array(Type.Integer({ minimum: 0 }));

const generationConfig = "generation_config.json";

/** CTranslate2 has them in config.json; Hugging Face in generation_config.json, formerly in config.json. */
function readSettings(directory: string): SourceSettings {
	const config = {
		...readJson(directory, "config.json"),
		...readJson(directory, generationConfig),
	};
	const suppressed = (...names: readonly [string, string]) =>
		suppressedIn(directory, config, names);
	return {
		alignmentHeads: config.alignment_heads,
		suppress: suppressed("suppress_tokens", "suppress_ids"),
		suppressFirst: suppressed("begin_suppress_tokens", "suppress_ids_begin"),
	};
}

/** Many trained further suppress nothing, which is written as null or, in generation_config.json, not at all. @param names of Hugging Face and of CTranslate2 */
function suppressedIn(
	directory: string,
	config: Readonly<Record<string, unknown>>,
	names: readonly [string, string],
): readonly number[] {
	const given = names.map((name) => config[name]);
	const isUnset =
		given.includes(null) || existsSync(join(directory, generationConfig));
	const value = given.find((it) => it !== undefined && it !== null);
	return checked(directory, names[0], ids, value ?? (isUnset ? [] : undefined));
}

function readVocabulary(directory: string): readonly string[] {
	const listed = join(directory, "vocabulary.json");
	if (existsSync(listed))
		return checked(
			directory,
			"vocabulary.json",
			Type.Array(Type.String()),
			parseJson(listed),
		) as string[];
	const lines = join(directory, "vocabulary.txt");
	if (existsSync(lines)) return readText(lines).split("\n");
	for (const [name, key] of [
		["vocab.json", undefined],
		["tokenizer.json", "model"],
	] as const) {
		const path = join(directory, name);
		if (!existsSync(path)) continue;
		const json = parseJson(path) as Record<string, { vocab?: unknown }>;
		return byId(directory, name, key ? json[key]?.vocab : json);
	}
	throw badSource(
		`${directory} has no vocabulary: put vocabulary.json, vocab.json or tokenizer.json beside the weights`,
	);
}

function byId(directory: string, name: string, value: unknown): string[] {
	const schema = Type.Record(
		Type.String(),
		Type.Integer({ minimum: 0, maximum: 1_000_000 }),
	);
	const vocabulary: string[] = [];
	const map = checked(directory, name, schema, value);
	for (const [text, id] of Object.entries(map as Record<string, number>))
		vocabulary[id] = text;
	return Array.from(vocabulary, (text) => text ?? "");
}

function readJson(directory: string, name: string): Record<string, unknown> {
	const path = join(directory, name);
	if (!existsSync(path)) return {};
	return checked(directory, name, Type.Object({}), parseJson(path)) as Record<
		string,
		unknown
	>;
}

function parseJson(path: string): unknown {
	try {
		return JSON.parse(readText(path));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw badSource(`${path} is not valid JSON: fetch it again`);
	}
}

function readText(path: string): string {
	if (statSync(path).size > jsonBytesMax)
		throw badSource(`${path} is too large for a file of that name`);
	return readFileSync(path, "utf8");
}

function checked<T>(
	directory: string,
	what: string,
	schema: TSchema,
	value: unknown,
): T {
	if (value === undefined)
		throw badSource(
			`${directory}: no file contains ${what}; put the model's config.json (CTranslate2) or generation_config.json (Hugging Face) beside the weights`,
		);
	if (fits(schema, value)) return value as T;
	throw badSource(`${directory}: ${what} is not valid for Whisper`);
}
