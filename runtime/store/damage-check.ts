/**
 * Whether a database's file is sound, as a child finds out by reading it (open-check.ts). It may take as long as it takes on a slow card: it is ended when it does
 * not get on any more.
 */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { type OwnCommand, ownCommand } from "../config/own-program.js";
import { damagedExitCode } from "./open-check.js";
import { StoreError } from "./store-error.js";

/** A reader that dies of these died of the file's contents. */
const damageSignals: readonly (NodeJS.Signals | null)[] = [
	"SIGSEGV",
	"SIGBUS",
	"SIGABRT",
	"SIGILL",
];
const stderrCharactersMax = 4096;
const backgroundNiceness = 10;

export interface CheckOptions {
	/** Instead of this program's own `check-store`; options and the file to check are its last arguments. */
	readonly checkCommand?: OwnCommand;
	/** What large rows of a table may take to be read; unless told, every row is (scan.ts). */
	readonly largeBytesMax?: number;
	/** Told several times a second while the check gets on. */
	readonly onProgress?: (progress: StoreProgress) => void;
	/** Others come first: nobody waits for it. */
	readonly isBackground?: boolean;
	/** Ends the check; it can't be told then. */
	readonly signal?: AbortSignal;
	/** Ends a check that has not got on for so long (`silenceMsMax`). @returns what calls that off. */
	readonly afterSilence?: (end: () => void) => () => void;
}

/** Of a reader that does not get on: a card that needs a minute for a row is beyond use. */
export const silenceMsMax = 60_000;

/** @returns the reason, or undefined for a sound file. Asked twice before a file is given up. @throws StoreError where it can't be told. */
export async function damageOf(
	path: string,
	options: CheckOptions = {},
): Promise<string | undefined> {
	const first = await checkInChild(path, options);
	return first === undefined ? undefined : checkInChild(path, options);
}

function checkInChild(
	path: string,
	options: CheckOptions,
): Promise<string | undefined> {
	const { onProgress, afterSilence = afterUsualSilence } = options;
	return new Promise((resolve, reject) => {
		const child = startCheck(path, options);
		const failUnclear = (why: string) => {
			cancel();
			reject(new StoreError("unavailable", `${path} can't be checked: ${why}`));
		};
		const hung = () => {
			child.kill("SIGKILL");
			failUnclear("reading it stalled"); // who waits for a disk can't be killed, and is not waited for
		};
		let cancel = afterSilence(hung);
		createInterface({ input: child.stdout }).on("line", (line) => {
			const progress = progressIn(line);
			if (!progress) return;
			cancel();
			cancel = afterSilence(hung);
			onProgress?.(progress);
		});
		let stderrText = "";
		child.stderr.on("data", (bytes: Buffer) => {
			if (stderrText.length < stderrCharactersMax)
				stderrText += bytes.toString();
		});
		child.on("error", (cause) => failUnclear(cause.message));
		child.on("close", (code, signal) => {
			cancel();
			const verdict = verdictOf(code, signal, stderrText);
			if (verdict.is === "unclear") failUnclear(verdict.why);
			else resolve(verdict.is === "damaged" ? verdict.why : undefined);
		});
	});
}

function startCheck(
	path: string,
	{
		checkCommand: { file, args } = ownCommand("check-store"),
		largeBytesMax = Number.POSITIVE_INFINITY,
		isBackground = false,
		signal,
	}: CheckOptions,
) {
	const child = spawn(
		file,
		[...args, "--large-bytes-max", String(largeBytesMax), path],
		{ stdio: ["ignore", "pipe", "pipe"], signal, killSignal: "SIGKILL" },
	);
	if (isBackground && child.pid) lowerPriority(child.pid);
	return child;
}

function lowerPriority(pid: number): void {
	try {
		setPriority(pid, backgroundNiceness);
	} catch {} // it is lower already, or the process is gone
}

type Verdict =
	| { readonly is: "sound" }
	| { readonly is: "damaged" | "unclear"; readonly why: string };

/** @param stderrText whose last line says why. */
function verdictOf(
	code: number | null,
	signal: NodeJS.Signals | null,
	stderrText: string,
): Verdict {
	const said = stderrText.trim().split("\n").at(-1) ?? "";
	if (code === 0) return { is: "sound" };
	if (code === damagedExitCode) return { is: "damaged", why: said };
	if (damageSignals.includes(signal))
		return { is: "damaged", why: `the checking process died of ${signal}` };
	return { is: "unclear", why: said || `exit code ${code}, signal ${signal}` };
}

function progressIn(line: string): StoreProgress | undefined {
	const [, rows, rowsTotal] = /^(\d+) (\d+)$/.exec(line) ?? [];
	return rows === undefined
		? undefined
		: { doing: "checking", done: Number(rows), total: Number(rowsTotal) };
}

function afterUsualSilence(end: () => void): () => void {
	const timer = setTimeout(end, silenceMsMax);
	return () => clearTimeout(timer);
}

/** How far something is that may take minutes on a slow card: told several times a second while it gets on. */
export interface StoreProgress {
	/** Reading a database, or copying a backup into its place. */
	readonly doing: "checking" | "restoring";
	/** Of `total`: rows, or bytes. */
	readonly done: number;
	readonly total: number;
}
