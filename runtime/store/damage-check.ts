/**
 * Checks whether a database's file is sound by reading it in a child process (open-check.ts). The check may take as long as it needs on a slow card: it is only
 * ended when it makes no progress.
 */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { type OwnCommand, ownCommand } from "../config/own-program.js";
import { damagedExitCode } from "./open-check.js";
import { StoreError } from "./store-error.js";

/** Signals that mean that the reader died of the file's contents. */
const damageSignals: readonly (NodeJS.Signals | null)[] = [
	"SIGSEGV",
	"SIGBUS",
	"SIGABRT",
	"SIGILL",
];
const stderrCharactersMax = 4096;
const backgroundNiceness = 10;

export interface CheckOptions {
	/** Replaces this program's own `check-store`; options and the file are appended to its arguments. */
	readonly checkCommand?: OwnCommand;
	/** Size limit of the large rows that are read per table; by default every row is read (scan.ts). */
	readonly largeBytesMax?: number;
	/** Called several times a second while the check makes progress. */
	readonly onProgress?: (progress: StoreProgress) => void;
	/** Runs the check at low priority: nothing waits for it. */
	readonly isBackground?: boolean;
	/** Aborts the check: it rejects when nothing of it runs any more. */
	readonly signal?: AbortSignal;
	/** Timeout of a check without progress (`silenceMsMax`). @returns a function that cancels the timeout. */
	readonly afterSilence?: (end: () => void) => () => void;
}

/** Limit for a reader without progress: on a device whose cores and card are all busy even its start may take minutes. */
export const silenceMsMax = 600_000;

/** @returns the damage, or undefined for a sound file. Checks twice before a file counts as damaged. @throws StoreError where the result is unknown. */
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
			failUnclear(
				`nothing of it was read for ${silenceMsMax / 60_000} minutes`,
			); // a process blocked on the disk can't be killed; it is not waited for
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
		child.on("error", (cause) => {
			// one that is aborted may write beside the file until it is closed
			if (child.pid === undefined) failUnclear(cause.message);
		});
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
		checkCommand: { file, args, argv0 } = ownCommand("check-store"),
		largeBytesMax = Number.POSITIVE_INFINITY,
		isBackground = false,
		signal,
	}: CheckOptions,
) {
	const child = spawn(
		file,
		[...args, "--large-bytes-max", String(largeBytesMax), path],
		{
			argv0,
			stdio: ["ignore", "pipe", "pipe"],
			signal,
			killSignal: "SIGKILL",
		},
	);
	if (isBackground && child.pid) lowerPriority(child.pid);
	return child;
}

function lowerPriority(pid: number): void {
	try {
		setPriority(pid, backgroundNiceness);
	} catch {} // already lower, or the process has ended
}

type Verdict =
	| { readonly is: "sound" }
	| { readonly is: "damaged" | "unclear"; readonly why: string };

/** @param stderrText its last line is the reason. */
function verdictOf(
	code: number | null,
	signal: NodeJS.Signals | null,
	stderrText: string,
): Verdict {
	const lastLine = stderrText.trim().split("\n").at(-1) ?? "";
	if (code === 0) return { is: "sound" };
	if (code === damagedExitCode) return { is: "damaged", why: lastLine };
	if (damageSignals.includes(signal))
		return { is: "damaged", why: `the checking process died of ${signal}` };
	return {
		is: "unclear",
		why: lastLine || `exit code ${code}, signal ${signal}`,
	};
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

/** Progress of an operation that may take minutes on a slow card: reported several times a second. */
export interface StoreProgress {
	/** Reading a database, or copying a backup into its place. */
	readonly doing: "checking" | "restoring";
	/** Rows or bytes, out of `total`. */
	readonly done: number;
	readonly total: number;
}
