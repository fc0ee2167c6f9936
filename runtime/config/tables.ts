/**
 * Repeatable sections (`[[microphone]]`): each is checked like a section, and its `id` is unique. A later file's entry replaces an earlier one with the same id
 * as a whole.
 */

import { expectation, shown } from "../json/expectation.js";
import { isJsonObject } from "../json/json-object.js";
import { fits } from "../json/json-schema.js";
import { ConfigError } from "./config-error.js";
import { readToml } from "./config-files.js";
import { nearest } from "./nearest.js";
import type { Section, ValuesOf } from "./setting.js";

type Values<S extends Section> = ValuesOf<{ readonly table: S }>["table"];

export interface ReadTables<S extends Section> {
	readonly values: readonly Values<S>[];
	/** Files of the keys that are given: `microphone.front.device`. */
	readonly origins: ReadonlyMap<string, string>;
}

/** @throws ConfigError with a message of one sentence. */
export function readTables<S extends Section & { readonly id: unknown }>(
	name: string,
	section: S,
	files: readonly string[],
): ReadTables<S> {
	const byId = new Map<string, Values<S>>();
	const origins = new Map<string, string>();
	for (const file of files) {
		const seen = new Set<string>();
		for (const table of tablesOf(name, file)) {
			const values = readTable(name, section, file, table);
			const id = String((values as Record<string, unknown>).id);
			if (seen.has(id))
				throw new ConfigError(
					`${file}: two [[${name}]] have the id ${JSON.stringify(id)}`,
				);
			seen.add(id);
			byId.set(id, values);
			for (const key of Object.keys(section)) {
				const place = `${name}.${id}.${key}`;
				if (key in table) origins.set(place, file);
				else origins.delete(place);
			}
		}
	}
	return { values: [...byId.values()], origins };
}

function tablesOf(name: string, file: string): readonly object[] {
	const tables = readToml(file)[name] ?? [];
	if (Array.isArray(tables) && tables.every(isJsonObject)) return tables;
	throw new ConfigError(
		`${file}: ${name} must be written as [[${name}]], which may be repeated`,
	);
}

/** @param file or another source, for error messages. @throws ConfigError */
export function readTable<S extends Section>(
	name: string,
	section: S,
	file: string,
	table: object,
): Values<S> {
	const known = Object.keys(section);
	for (const key of Object.keys(table))
		if (!known.includes(key))
			throw new ConfigError(
				`unknown configuration key ${name}.${key} in ${file}; the nearest is ${name}.${nearest(key, known)}`,
			);
	const given = new Map(Object.entries(table));
	const values = Object.entries(section).map(([key, setting]) => {
		if (!given.has(key) && !setting.required) return [key, setting.default];
		const value = given.get(key);
		if (!fits(setting.schema, value))
			throw new ConfigError(
				`${name}.${key} in ${file} must be ${expectation(setting.schema)}, got ${shown(value)}`,
			);
		return [key, value];
	});
	return Object.fromEntries(values) as Values<S>;
}
