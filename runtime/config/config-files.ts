/**
 * The files of the configuration: where they are, and what is in them. A file that this user may not read, or in a folder that this user may not enter, is an
 * error: it must not count as one that is not there.
 */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { ConfigError, DeniedConfigError } from "./config-error.js";
import { isCheckout } from "./install-root.js";

const systemConfigFolder = "/etc/earshot";

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
	const isInstalled = !isCheckout(root) && isThere(systemFolder);
	const folder = given || (isInstalled ? systemFolder : join(root, "config"));
	return { path: join(folder, "earshot.toml"), mustExist: false };
}

/** The main file and its drop-ins: `earshot.d/*.toml` beside `earshot.toml`, by name. @throws ConfigError */
export function configFiles(
	mainFile: string,
	mustExist: boolean,
): readonly string[] {
	const hasMain = isThere(mainFile);
	if (mustExist && !hasMain)
		throw new ConfigError(
			`EARSHOT_CONFIG names ${mainFile}, which does not exist`,
		);
	const dropIns = dropInFolder(mainFile);
	return [
		...(hasMain ? [mainFile] : []),
		...(isThere(dropIns) ? namesIn(dropIns) : [])
			.filter((name) => name.endsWith(".toml") && !name.startsWith("."))
			.map((name) => join(dropIns, name)),
	];
}

export function dropInFolder(mainFile: string): string {
	return join(dirname(mainFile), `${basename(mainFile, extname(mainFile))}.d`);
}

/** @throws ConfigError for a file that is not valid, or can't be read. */
export function readToml(path: string): Record<string, unknown> {
	const bytes = readBytes(path);
	const text = bytes.toString();
	const table = parsed(text, path);
	// only a value matters: a comment in another encoding does no harm
	if (!isUtf8(bytes) && JSON.stringify(table).includes(replaced))
		throw new ConfigError(
			`${path}, line ${lineOfReplaced(text, table)}: the file must be text in UTF-8`,
		);
	return table;
}

/** What bytes that are not UTF-8 are read as. */
const replaced = "\uFFFD";

/** The first line in which it is part of a value. */
function lineOfReplaced(text: string, table: object): number {
	const lines = text.split("\n");
	const read = JSON.stringify(table);
	const at = lines.findIndex((line, i) => {
		if (!line.includes(replaced)) return false;
		const other = lines.with(i, line.replaceAll(replaced, "?")).join("\n");
		return JSON.stringify(parse(other)) !== read;
	});
	return at + 1;
}

function parsed(text: string, path: string): Record<string, unknown> {
	try {
		return parse(text);
	} catch (cause) {
		if (!(cause instanceof TomlError)) throw cause;
		const reason = cause.message.split("\n")[0];
		throw new ConfigError(`${path}, line ${cause.line}: ${reason}`);
	}
}

/** @throws ConfigError where this user can't find out. */
export function isThere(path: string): boolean {
	try {
		statSync(path);
		return true;
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return false;
		throw unreadable(path, cause);
	}
}

/** @returns the names, sorted. @throws ConfigError */
export function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch (cause) {
		throw unreadable(folder, cause);
	}
}

/** @throws ConfigError also for a file in another encoding than UTF-8 */
export function readText(path: string): string {
	const bytes = readBytes(path);
	if (!isUtf8(bytes)) throw new ConfigError(`${path} must be text in UTF-8`);
	return bytes.toString();
}

function readBytes(path: string): Buffer {
	try {
		return readFileSync(path);
	} catch (cause) {
		throw unreadable(path, cause);
	}
}

function unreadable(path: string, cause: unknown): ConfigError {
	const { code, message } = cause as NodeJS.ErrnoException;
	const sentence = `${path} can't be read: ${message}`;
	if (code !== "EACCES" && code !== "EPERM") return new ConfigError(sentence);
	return new DeniedConfigError(
		`${sentence}; run this as a user who may read it (root, or sudo -u earshot), or name another file with EARSHOT_CONFIG`,
	);
}
