/**
 * Options of Home Assistant's add-on as values of the configuration. Its Supervisor writes them to `/data/options.json`, after the schema in addon/config.yaml; a
 * test holds that schema and this table together. What is not among them is set in /config/earshot.toml.
 */
import { dirname } from "node:path";
import { isJsonObject, type JsonObject } from "../json/json-object.js";
import { ConfigError } from "./config-error.js";
import { isThere, readText } from "./config-files.js";
import { nearest } from "./nearest.js";
import type { SourcedValue } from "./sources.js";

/** Names the file; set in the add-on. */
const addonOptionsVariable = "EARSHOT_ADDON_OPTIONS";
/** The Supervisor's own limit is lower. */
const charactersMax = 256 * 1024;

export const addonOptions: Readonly<Record<string, string>> = {
	wyoming: "wyoming.enabled",
	language: "wyoming.language",
	endpointing: "wyoming.endpointing",
	model: "model.name",
	second_ear: "model.second_ear",
	require_token: "auth.required",
	log_level: "log.level",
};

/** @throws ConfigError for a file that is none of the Supervisor's, or has another option. */
export function fromAddonOptions(
	environment: NodeJS.ProcessEnv,
	keys: readonly string[],
): SourcedValue[] {
	const path = environment[addonOptionsVariable];
	if (!path || !isThere(path)) return [];
	return Object.entries(readOptions(path)).flatMap(([name, value]) => {
		const key = Object.hasOwn(addonOptions, name) ? addonOptions[name] : "";
		if (!key)
			throw new ConfigError(
				`unknown option ${name.slice(0, 80)} in ${path}; the nearest is ${nearest(name, Object.keys(addonOptions))}`,
			);
		if (!keys.includes(key)) return []; // a part of the configuration is read
		const source = `the option ${name} of the add-on`;
		return { key, value, source, isText: false, base: dirname(path) };
	});
}

function readOptions(path: string): JsonObject {
	const value = parsed(path);
	if (!isJsonObject(value))
		throw new ConfigError(`${path} must be a JSON object of options`);
	return value;
}

function parsed(path: string): unknown {
	const text = readText(path);
	try {
		if (text.length > charactersMax)
			throw new Error(`more than ${charactersMax} characters`);
		return JSON.parse(text);
	} catch (cause) {
		throw new ConfigError(`${path} can't be read: ${(cause as Error).message}`);
	}
}
