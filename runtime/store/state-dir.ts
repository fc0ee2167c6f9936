/**
 * The state directory: made with mode 0700, and served from by one program at a time. The lock is a file with the owner's process number and start time, so that
 * one left behind by a killed process (or by another that got its number) is seen to be stale.
 */
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { startTicksOf } from "../running-process.js";
import { StoreError } from "./store-error.js";

/** @throws StoreError when it can't be made. */
export function makeStateDir(dir: string): void {
	try {
		makeWithParents(resolve(dir));
	} catch (cause) {
		throw new StoreError(
			"unavailable",
			`the state directory ${dir} can't be made: ${(cause as Error).message}; set EARSHOT_STATE_DIR to one that can be written`,
			cause,
		);
	}
}

/** Not mkdir's own `recursive`: where a parent exists and yet says ENOENT, as /proc does, that never returns. */
function makeWithParents(path: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const parent = dirname(path);
		if (code === "ENOENT" && !existsSync(parent)) {
			makeWithParents(parent);
			mkdirSync(path, { mode: 0o700 });
		} else if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
			throw error;
		}
	}
}

/** @returns what gives the lock back. @throws StoreError when another running program holds it. */
export function lockStateDir(dir: string): () => void {
	const path = join(dir, "serve.lock");
	for (let tries = 0; tries < 2; tries++) {
		if (tryLock(path)) return () => rmSync(path, { force: true });
		const holder = readHolder(path);
		if (holder && isRunning(holder)) {
			throw new StoreError(
				"in-use",
				`process ${holder.pid} serves from ${dir} already; give this one its own EARSHOT_STATE_DIR`,
			);
		}
		rmSync(path, { force: true });
	}
	throw new StoreError("in-use", `${path} can't be taken`);
}

interface Holder {
	readonly pid: number;
	/** Clock ticks from boot to the process's start. */
	readonly startTicks: string;
}

function tryLock(path: string): boolean {
	let file: number;
	try {
		file = openSync(path, "wx", 0o600);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw new StoreError(
			"unavailable",
			`${path} can't be written: ${(cause as Error).message}`,
			cause,
		);
	}
	const startTicks = startTicksOf(process.pid);
	writeSync(file, JSON.stringify({ pid: process.pid, startTicks }));
	closeSync(file);
	return true;
}

function readHolder(path: string): Holder | undefined {
	try {
		const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder>;
		return typeof holder.pid === "number" &&
			typeof holder.startTicks === "string"
			? { pid: holder.pid, startTicks: holder.startTicks }
			: undefined;
	} catch {
		return undefined; // half written by a process that died, or gone by now: stale
	}
}

function isRunning(holder: Holder): boolean {
	return startTicksOf(holder.pid) === holder.startTicks;
}
