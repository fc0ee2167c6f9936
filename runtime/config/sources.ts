/**
 * Sources of configuration values, each overriding the previous: file, drop-ins, credentials, environment, command line. Each value has its source, so that
 * error messages and `config show` can name it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { ConfigError } from "./config-error.js";
import { isCheckout } from "./install-root.js";
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

const systemConfigFolder = "/etc/earshot";

export function keysOf(sections: Sections): string[] {
	return Object.entries(sections).flatMap(([section, settings]) =>
		Object.keys(settings).map((key) => `${section}.${key}`),
	);
}

/** The main file and its drop-ins: `earshot.d/*.toml` beside `earshot.toml`, by name. */
export function configFiles(
	mainFile: string,
	mustExist: boolean,
): readonly string[] {
	if (mustExist && !existsSync(mainFile))
		throw new ConfigError(
			`EARSHOT_CONFIG names ${mainFile}, which does not exist`,
		);
	const dropIns = dropInFolder(mainFile);
	return [
		...(existsSync(mainFile) ? [mainFile] : []),
		...(existsSync(dropIns) ? namesIn(dropIns) : [])
			.filter((name) => name.endsWith(".toml") && !name.startsWith("."))
			.map((name) => join(dropIns, name)),
	];
}

export function dropInFolder(mainFile: string): string {
	return join(dirname(mainFile), `${basename(mainFile, extname(mainFile))}.d`);
}

/** @returns the names, sorted. */
function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch (cause) {
		throw new ConfigError(
			`${folder} can't be read: ${(cause as Error).message}`,
		);
	}
}

export function fromFile(
	path: string,
	root: string,
	sections: Sections,
	/** Repeatable sections, which are read separately (tables.ts). */
	tables: readonly string[] = [],
): SourcedValue[] {
	const values: SourcedValue[] = [];
	for (const [section, table] of Object.entries(readToml(path))) {
		if (tables.includes(section)) continue;
		if (!Object.hasOwn(sections, section)) {
			throw unknownKey(`section [${section}]`, section, path, [
				...Object.keys(sections),
				...tables,
			]);
		}
		if (!isTable(table)) {
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
		if (key) values.push({ key, value, source, isText: true, base });
		else if (namesSection(name, sections))
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
	if (!folder || !existsSync(folder)) return [];
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
	if (!environment.CREDENTIALS_DIRECTORY || !existsSync(file)) return undefined;
	return readText(file).replace(/\r?\n$/, "") || undefined;
}

function secretKeysOf(sections: Sections): string[] {
	return keysOf(sections).filter((key) => {
		const [section = "", name = ""] = key.split(".");
		return sections[section]?.[name]?.secret === true;
	});
}

/** Names that start like a section but are not a key are typing errors; other EARSHOT_ names are ignored. */
function namesSection(name: string, sections: Sections): boolean {
	return Object.keys(sections).some((section) =>
		name.startsWith(`EARSHOT_${section.toUpperCase()}_`),
	);
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

/**
 * The file named by `EARSHOT_CONFIG`; or `earshot.toml` in the folder provided by the service manager (systemd's `ConfigurationDirectory=`); or that of a
 * checkout; or that of the system.
 */
export function mainFilePath(
	environment: NodeJS.ProcessEnv,
	root: string,
	systemFolder = systemConfigFolder,
): { path: string; mustExist: boolean } {
	const named = environment.EARSHOT_CONFIG;
	if (named) return { path: resolve(named), mustExist: true };
	const [given] = (environment.CONFIGURATION_DIRECTORY ?? "").split(":");
	const isInstalled = !isCheckout(root) && existsSync(systemFolder);
	const folder = given || (isInstalled ? systemFolder : join(root, "config"));
	return { path: join(folder, "earshot.toml"), mustExist: false };
}

export function readToml(path: string): Record<string, unknown> {
	const text = readText(path);
	try {
		return parse(text);
	} catch (cause) {
		if (!(cause instanceof TomlError)) throw cause;
		const reason = cause.message.split("\n")[0];
		throw new ConfigError(`${path}, line ${cause.line}: ${reason}`);
	}
}

function readText(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch (cause) {
		throw new ConfigError(`${path} can't be read: ${(cause as Error).message}`);
	}
}

function isTable(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkKnown(key: string, place: string, sections: Sections): void {
	const keys = keysOf(sections);
	if (!keys.includes(key)) throw unknownKey(key, key, place, keys);
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
