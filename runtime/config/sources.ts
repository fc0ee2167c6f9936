/**
 * Sources of configuration values, each overriding the previous: file, drop-ins, credentials, environment, command line. Each value has its source, so that
 * error messages and `config show` can name it.
 */
import { join } from "node:path";
import { isJsonObject } from "../json/json-object.js";
import { ConfigError } from "./config-error.js";
import { isThere, namesIn, readText, readToml } from "./config-files.js";
import { nearest } from "./nearest.js";
import { environmentName, type Sections } from "./setting.js";

export interface SourcedValue {
	/** `server.port` */
	readonly key: string;
	readonly value: unknown;
	/** A file's path, `credential earshot.callback.secret`, `environment EARSHOT_SERVER_PORT` or `command line`. */
	readonly source: string;
	/** Text from outside a file: its type is read from the schema. */
	readonly isText: boolean;
	/** Base of relative paths. */
	readonly base: string;
}

export function keysOf(sections: Sections): string[] {
	return Object.entries(sections).flatMap(([section, settings]) =>
		Object.keys(settings).map((key) => `${section}.${key}`),
	);
}

export function fromFile(
	path: string,
	root: string,
	sections: Sections,
	/** Repeatable sections, which are read separately (tables.ts). */
	tables: Sections = {},
): SourcedValue[] {
	const values: SourcedValue[] = [];
	for (const [section, table] of Object.entries(readToml(path))) {
		if (Object.hasOwn(tables, section)) continue;
		if (!Object.hasOwn(sections, section)) {
			if (!isSection(table))
				throw outsideSections(section, path, [
					...keysOf(sections),
					...keysOf(tables),
				]);
			throw unknownKey(`section [${section}]`, section, path, [
				...Object.keys(sections),
				...Object.keys(tables),
			]);
		}
		if (!isJsonObject(table)) {
			throw new ConfigError(
				`${path}: ${section} must be a table: [${section}]`,
			);
		}
		for (const [name, value] of Object.entries(table)) {
			const key = `${section}.${name}`;
			checkKnown(key, path, sections);
			values.push({ key, value, source: path, isText: false, base: root });
		}
	}
	return values;
}

export function fromEnvironment(
	environment: NodeJS.ProcessEnv,
	sections: Sections,
	/** Repeatable sections: one variable can't say which of them it means. */
	tables: Sections = {},
): SourcedValue[] {
	const byName = new Map(
		keysOf(sections).map((key) => [environmentName(key), key]),
	);
	const values: SourcedValue[] = [];
	for (const [name, value] of Object.entries(environment)) {
		if (!value || !name.startsWith("EARSHOT_")) continue; // an empty variable counts as unset
		const key = byName.get(name);
		const source = `environment ${name}`;
		const base = process.cwd();
		const isOf = (section: string) =>
			name.startsWith(`EARSHOT_${section.toUpperCase()}_`);
		const table = Object.keys(tables).find(isOf);
		if (key) values.push({ key, value, source, isText: true, base });
		else if (table)
			throw new ConfigError(
				`[[${table}]] can only be set in a file, not as ${source}`,
			);
		// a typing error; other EARSHOT_ names are ignored
		else if (Object.keys(sections).some(isOf))
			throw unknownKey(name, name, "the environment", [...byName.keys()]);
	}
	return values;
}

/** A credential's name is this followed by its key: other services share the service manager's credential store. */
const credentialPrefix = "earshot.";

/**
 * Secrets that the service manager provides as files only we can read (systemd's `LoadCredential=`): `earshot.callback.secret` contains `callback.secret` as
 * text; a trailing line end is removed.
 */
export function fromCredentials(
	environment: NodeJS.ProcessEnv,
	sections: Sections,
): SourcedValue[] {
	const folder = environment.CREDENTIALS_DIRECTORY;
	if (!folder || !isThere(folder)) return [];
	return namesIn(folder)
		.filter((name) => name.startsWith(credentialPrefix))
		.filter((name) => !name.startsWith(streamPrefix))
		.map((name) => {
			const key = name.slice(credentialPrefix.length);
			const source = `credential ${name}`;
			const secrets = secretKeysOf(sections);
			if (!secrets.includes(key))
				throw keysOf(sections).includes(key)
					? new ConfigError(
							`${key} is not a secret: set it in a file, not as ${source}`,
						)
					: unknownKey(key, key, `the ${source}`, secrets);
			const value = readText(join(folder, name)).replace(/\r?\n$/, "");
			return { key, value, source, isText: true, base: folder };
		});
}

/** Logins of microphones that are streams belong to no single key: `earshot.microphone.front` is of the one with the id `front`. */
const streamPrefix = `${credentialPrefix}microphone.`;

/** @returns `user:password` of a stream; undefined if it has none. */
export function streamLogin(
	environment: NodeJS.ProcessEnv,
	microphone: string,
): string | undefined {
	const file = join(
		environment.CREDENTIALS_DIRECTORY ?? "",
		streamPrefix + microphone,
	);
	if (!environment.CREDENTIALS_DIRECTORY || !isThere(file)) return undefined;
	return readText(file).replace(/\r?\n$/, "") || undefined;
}

function secretKeysOf(sections: Sections): string[] {
	return keysOf(sections).filter((key) => {
		const [section = "", name = ""] = key.split(".");
		return sections[section]?.[name]?.secret === true;
	});
}

/** @param overrides `server.port=7200`, from the command line. */
export function fromCommandLine(
	overrides: readonly string[],
	sections: Sections,
): SourcedValue[] {
	return overrides.map((override) => {
		const at = override.indexOf("=");
		if (at < 1)
			throw new ConfigError(
				`command line: expected section.key=value, got ${override}`,
			);
		const key = override.slice(0, at).trim();
		checkKnown(key, "the command line", sections);
		return {
			key,
			value: override.slice(at + 1),
			source: "command line",
			isText: true,
			base: process.cwd(),
		};
	});
}

function checkKnown(key: string, place: string, sections: Sections): void {
	const keys = keysOf(sections);
	if (!keys.includes(key)) throw unknownKey(key, key, place, keys);
}

/** `[name]` or `[[name]]`. */
function isSection(value: unknown): boolean {
	return (
		isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject))
	);
}

/** `port = 7200` in a file without sections, or before the first. */
function outsideSections(
	name: string,
	path: string,
	keys: readonly string[],
): ConfigError {
	const meant = keys.filter((key) => key.endsWith(`.${name}`));
	if (meant.length === 0) return unknownKey(name, name, path, keys);
	return new ConfigError(
		`unknown configuration key ${name} in ${path}: it is in no section; in one it would be ${meant.join(" or ")}`,
	);
}

function unknownKey(
	what: string,
	name: string,
	place: string,
	candidates: readonly string[],
): ConfigError {
	const near = nearest(name, candidates);
	return new ConfigError(
		`unknown configuration key ${what} in ${place}; the nearest is ${near}`,
	);
}
