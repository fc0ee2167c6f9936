/**
 * Starts the program in an executable: its code is one text, and compiling 8 MB takes longer than anything else that a short process does. So what V8 compiled
 * of it is kept beside the unpacked libraries, by a process of its own a minute after a server has started. What is kept begins with its sha256, and is only
 * used if that is right; V8 takes it only in its own version and with its own flags. Without it the code is compiled anew.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { getRawAsset } from "node:sea";
import { pathToFileURL } from "node:url";
import { type LoadedBundle, runBundle } from "../process/compiled-bundle.js";
import { PartFolder, placeFile } from "./part-folder.js";
import { openFolder, type PartList, partList } from "./parts.js";
import { unpackPlaces } from "./places.js";
import { reportUnpackError } from "./unpack-error.js";

/** What the bundle exports (scripts/bundles/program-entry.ts). */
interface Program {
	run(words: readonly string[], wasCompiled: boolean): void;
	warmUp(): Promise<unknown>;
}

/** Started by the program itself. */
const compileWord = "compile-program";
/** A server has other things to do first. */
const compileAfterMs = 60_000;
const hashBytes = 32;
const fileMode = 0o600;
const lowest = 19;

/** @param words of the command line, without the program. */
export async function startProgram(words: readonly string[]): Promise<void> {
	try {
		const program = loadProgram();
		if (words[0] === compileWord) await keepCompiled(program);
		else program.exports.run(words, program.wasCompiled);
		if (words.includes("serve") && !program.wasCompiled) compileLater();
	} catch (error) {
		reportUnpackError(error);
	}
}

function loadProgram(): LoadedBundle<Program> {
	const list = partList();
	return runBundle<Program>(
		Buffer.from(getRawAsset(list.program.name) as ArrayBuffer).toString(
			"latin1",
		), // it is ASCII
		pathToFileURL(process.execPath).href,
		keptIn(unpackPlaces(), list),
	);
}

/** What was compiled of exactly this program; undefined where nothing is, or something damaged. */
export function keptIn(
	places: readonly string[],
	list: Pick<PartList, "libraries" | "program">,
): Buffer | undefined {
	for (const place of places) {
		const folder = PartFolder.existing(place, list.libraries);
		if (folder === undefined) continue;
		try {
			const kept = readFileSync(join(folder, nameOf(list)));
			const compiled = kept.subarray(hashBytes);
			if (sha256(compiled).equals(kept.subarray(0, hashBytes))) return compiled;
		} catch {
			// not there
		}
	}
	return undefined;
}

/** In place of what was kept of other programs in this folder. */
export function keep(
	folder: string,
	list: Pick<PartList, "program">,
	compiled: Buffer,
): void {
	const path = join(folder, nameOf(list));
	placeFile(path, Buffer.concat([sha256(compiled), compiled]), fileMode);
	for (const name of readdirSync(folder))
		if (/^program-.*\.v8/.test(name) && join(folder, name) !== path)
			rmSync(join(folder, name), { force: true });
}

async function keepCompiled(program: LoadedBundle<Program>): Promise<void> {
	setPriority(lowest);
	await program.exports.warmUp();
	keep(openFolder().path, partList(), program.compiled());
	process.exit(0); // whatever was loaded
}

function compileLater(): void {
	setTimeout(() => {
		spawn(process.execPath, [compileWord], { stdio: "ignore" })
			.on("error", () => {}) // compiled at each start, as before
			.unref();
	}, compileAfterMs).unref();
}

const nameOf = ({ program }: Pick<PartList, "program">) =>
	`program-${program.sha256.slice(0, 16)}.v8`;

const sha256 = (content: Buffer) =>
	createHash("sha256").update(content).digest();
