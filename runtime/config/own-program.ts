/**
 * How this program finds itself: its files, and how it starts itself again with another verb. There are two worlds: compiled files that Node runs (a
 * checkout, an npm installation), and one executable that is Node and the program in one. Nobody else asks in which of them it lives.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAsset, isSea } from "node:sea";
import { fileURLToPath } from "node:url";

export const isExecutable = isSea();

/** Where the packages of this system put what an executable brings along. */
const sharedFolder = "/usr/share/earshot";

/** The file that Node runs, or the executable itself. The compiled files lie in `<root>/build/runtime/config`. */
export const programFile = isExecutable
	? realpathSync(process.execPath)
	: join(dirname(fileURLToPath(import.meta.url)), "..", "main.js");

/** The directory that holds `models/` (in a checkout also `config/` and everything else). */
export const ownRoot = isExecutable
	? rootOfExecutable(dirname(programFile))
	: join(dirname(programFile), "..", "..");

/** A program and its arguments, to be started as a process. */
export interface OwnCommand {
	readonly file: string;
	readonly args: readonly string[];
}

/** This program's own verb, as a process of its own. */
export function ownCommand(verb: string, ...words: string[]): OwnCommand {
	const args = isExecutable ? [verb, ...words] : [programFile, verb, ...words];
	return { file: process.execPath, args };
}

/** A text that belongs to the program: an asset of the executable, else a file of the checkout. @param path from the root. */
export function ownText(path: string): string {
	return isExecutable
		? getAsset(path, "utf8")
		: readFileSync(join(ownRoot, path), "utf8");
}

/** An asset that not every executable has. */
export function ownAsset(name: string): string | undefined {
	if (!isExecutable) return undefined;
	try {
		return getAsset(name, "utf8");
	} catch {
		return undefined;
	}
}

/** A clock that is before this is wrong. */
export function builtAt(): Date {
	return statSync(programFile).mtime;
}

export function ownVersion(): string {
	return String(JSON.parse(ownText("package.json")).version);
}

function rootOfExecutable(beside: string): string {
	return existsSync(join(beside, "models")) ? beside : sharedFolder;
}
