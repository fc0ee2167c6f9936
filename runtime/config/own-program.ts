/**
 * How this program finds its files, and how it starts itself with another verb. There are two forms: compiled files run by Node (a checkout, an npm
 * installation), and one executable that contains Node and the program. Only this file distinguishes them.
 */
import {
	existsSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { getAsset, isSea } from "node:sea";
import { fileURLToPath } from "node:url";

export const isExecutable = isSea();

/** Where this system's packages install files that accompany an executable. */
const sharedFolder = "/usr/share/earshot";

/** Leads to the executable that runs, also once an update has given its name to another. */
const runningExecutable = "/proc/self/exe";

/** The file that Node runs, or the executable itself, by the name that it was started under. The compiled files are in `<root>/build/runtime/config`. */
export const programFile = isExecutable
	? realpathSync(process.execPath.replace(/ \(deleted\)$/, "")) // proc(5): started by a process whose file was replaced
	: join(dirname(fileURLToPath(import.meta.url)), "..", "main.js");

/** The directory that holds `models/` (in a checkout also `config/` and everything else). */
export const ownRoot = isExecutable
	? rootOfExecutable(dirname(programFile))
	: join(dirname(programFile), "..", "..");

let codeWasCompiled: boolean | undefined;

/** Called once, by what loads the program's bundle. */
export function noteCodeWasCompiled(was: boolean): void {
	codeWasCompiled = was;
}

/** Whether this process began with code that V8 had compiled earlier; undefined where there is no bundle. */
export function startedWithCompiledCode(): boolean | undefined {
	return codeWasCompiled;
}

/** A program and its arguments, to be started as a process. */
export interface OwnCommand {
	readonly file: string;
	readonly args: readonly string[];
	/** What `ps` shows as its first word, where that is not `file`. */
	readonly argv0?: string;
}

/**
 * The command that runs one of this program's verbs in a separate process: of this version, since the two share a protocol. A command may be kept for as long as
 * the program runs: `file` is what is right at the moment.
 */
export function ownCommand(verb: string, ...words: string[]): OwnCommand {
	if (!isExecutable)
		return { file: process.execPath, args: [programFile, verb, ...words] };
	return {
		get file() {
			return isReplaced() ? runningExecutable : programFile;
		},
		args: [verb, ...words],
		argv0: programFile,
	};
}

/** Not always by the kernel's link: the name of the process would be `exe`, and emulators know only its text. */
function isReplaced(): boolean {
	try {
		return readlinkSync(runningExecutable) !== programFile;
	} catch {
		return false; // no /proc
	}
}

/** A text that belongs to the program: an asset of the executable, or a file of the checkout. @param path from the root. */
export function ownText(path: string): string {
	return isExecutable
		? getAsset(path, "utf8")
		: readFileSync(join(ownRoot, path), "utf8");
}

/** An asset that only some executables have. */
export function ownAsset(name: string): string | undefined {
	if (!isExecutable) return undefined;
	try {
		return getAsset(name, "utf8");
	} catch {
		return undefined;
	}
}

/** Build time: an earlier clock is wrong. */
export function builtAt(): Date {
	return statSync(programFile).mtime;
}

export function ownVersion(): string {
	return String(JSON.parse(ownText("package.json")).version);
}

function rootOfExecutable(beside: string): string {
	return existsSync(join(beside, "models")) ? beside : sharedFolder;
}
