/**
 * The effective configuration: every source laid over the defaults and checked against the schema. A wrong value is never silently corrected: the program does
 * not start, and names the key, its source, what was expected and what was found.
 */
import { isAbsolute, resolve } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { expectation, shown } from "../json/expectation.js";
import { fits } from "../json/json-schema.js";
import { fromAddonOptions } from "./addon-options.js";
import { ConfigError, DeniedConfigError } from "./config-error.js";
import { configFiles, mainFilePath } from "./config-files.js";
import { installRoot } from "./install-root.js";
import { type Config, configSections, configTables } from "./schema.js";
import type { Sections, ValuesOf } from "./setting.js";
import {
	fromCommandLine,
	fromCredentials,
	fromEnvironment,
	fromFile,
	keysOf,
	type SourcedValue,
} from "./sources.js";
import { readTables } from "./tables.js";

export interface LoadedConfig<V = Config> {
	readonly values: V;
	/** Source of each key's value: "default", a file's path, "the option NAME of the add-on", "credential NAME", "environment NAME", "command line". */
	readonly origins: ReadonlyMap<string, string>;
	readonly files: readonly string[];
}

export interface ConfigSources {
	readonly environment?: NodeJS.ProcessEnv;
	/** `section.key=value` from the command line. */
	readonly overrides?: readonly string[];
	readonly root?: string;
	/** Configuration folder of an installed program, instead of the one beside it. */
	readonly systemFolder?: string;
	/** Told why this user may not read the files, which are then left out; without it, and for a file that `EARSHOT_CONFIG` names, that is an error. */
	readonly onDenied?: (why: string) => void;
}

/** @throws ConfigError with a message of one sentence. */
export function loadConfig(sources: ConfigSources = {}): LoadedConfig {
	try {
		return loadFrom(sources);
	} catch (error) {
		const { environment = process.env, onDenied } = sources;
		if (!(error instanceof DeniedConfigError) || !onDenied) throw error;
		if (environment.EARSHOT_CONFIG) throw error;
		onDenied(error.message);
		return loadFrom(sources, []);
	}
}

function loadFrom(
	sources: ConfigSources,
	given?: readonly string[],
): LoadedConfig {
	const loaded = loadSections(configSections, sources, configTables, given);
	const microphones = readTables(
		"microphone",
		configTables.microphone,
		loaded.files,
	);
	return {
		...loaded,
		values: { ...loaded.values, microphone: microphones.values },
		origins: new Map([...loaded.origins, ...microphones.origins]),
	};
}

export function loadSections<T extends Sections>(
	sections: T,
	sources: ConfigSources,
	tables: Sections = {},
	files = filesOf(sources),
): LoadedConfig<ValuesOf<T>> {
	const environment = sources.environment ?? process.env;
	const root = sources.root ?? installRoot;
	const given = [
		...files.flatMap((file) => fromFile(file, root, sections, tables)),
		...fromAddonOptions(environment, keysOf(sections)),
		...fromCredentials(environment, sections),
		...fromEnvironment(environment, sections, tables),
		...fromCommandLine(sources.overrides ?? [], sections),
	];
	// every value is checked, not only the one that takes precedence: an overridden wrong value is still a mistake
	const read = given.map((it) => ({ ...it, value: readValue(it, sections) }));
	return { ...overlay(sections, read), files };
}

function filesOf({
	environment = process.env,
	root = installRoot,
	systemFolder,
}: ConfigSources): readonly string[] {
	const { path, mustExist } = mainFilePath(environment, root, systemFolder);
	return configFiles(path, mustExist);
}

function overlay<T extends Sections>(
	sections: T,
	given: readonly SourcedValue[],
): Omit<LoadedConfig<ValuesOf<T>>, "files"> {
	const last = new Map(given.map((it) => [it.key, it]));
	const values: Record<string, Record<string, unknown>> = {};
	for (const key of keysOf(sections)) {
		const { section, name, setting } = find(key, sections);
		values[section] ??= {};
		values[section][name] = last.get(key)?.value ?? setting.default;
	}
	const origins = new Map(
		keysOf(sections).map((key) => [key, last.get(key)?.source ?? "default"]),
	);
	return { values: values as ValuesOf<T>, origins };
}

function readValue(given: SourcedValue, sections: Sections): unknown {
	const { setting } = find(given.key, sections);
	const value = given.isText
		? fromText(String(given.value), setting.schema)
		: given.value;
	if (!fits(setting.schema, value)) {
		throw new ConfigError(
			`${given.key} in ${given.source} must be ${expectation(setting.schema)}, got ${shown(setting.secret ? "a secret" : value)}`,
		);
	}
	if (!setting.path || value === "") return value;
	const path = String(value);
	return isAbsolute(path) ? path : resolve(given.base, path);
}

/** Converts text to the schema's type; text that can't be converted is left for the check to report. */
function fromText(text: string, schema: TSchema): unknown {
	const kinds: string[] = schema.anyOf
		? schema.anyOf.map((member: TSchema) => member.type)
		: [schema.type];
	if (kinds.includes("integer") || kinds.includes("number"))
		return /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
	if (kinds.includes("boolean")) {
		const word = text.trim().toLowerCase();
		return word === "true" ? true : word === "false" ? false : text;
	}
	if (kinds.includes("array")) return listIn(text) ?? itemsOf(text);
	if (kinds.includes("object")) return tableOf(text);
	return text;
}

/** Written as in a file: `["a", "b"]`. */
function listIn(text: string): unknown[] | undefined {
	if (!text.trim().startsWith("[")) return undefined;
	try {
		const found = JSON.parse(text);
		return Array.isArray(found) ? found : undefined;
	} catch {
		return undefined; // an address of IPv6 is in brackets, too
	}
}

function itemsOf(text: string): string[] {
	return text
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "");
}

/** `name=value,name=value`; the text itself where it is not that. */
function tableOf(text: string): unknown {
	const pairs = itemsOf(text).map((item) => item.split("="));
	if (pairs.some((it) => it.length !== 2)) return text;
	return Object.fromEntries(
		pairs.map(([name = "", value = ""]) => [name.trim(), value.trim()]),
	);
}

function find(key: string, sections: Sections) {
	const [section = "", name = ""] = key.split(".");
	const setting = sections[section]?.[name];
	if (!setting) throw new Error(`no setting ${key}`); // keys are checked when they are read
	return { section, name, setting };
}
