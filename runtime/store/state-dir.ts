/**
 * The state directory: created with mode 0700, and used by one server at a time. The lock is the kernel's, on a file that names its holder: it ends with its
 * holder, however that ends.
 */
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	ftruncateSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { giveToFolderOwner, openForFolderOwner } from "../disk/folder-owner.js";
import { isDiskFull } from "../disk/full-disk.js";
import { startTicksOf } from "../process/running-process.js";
import { tryLockFile } from "./file-lock.js";
import { StoreError } from "./store-error.js";

/** @throws StoreError when it can't be created. */
export function makeStateDir(dir: string): void {
	try {
		makeWithParents(resolve(dir));
	} catch (cause) {
		throw new StoreError(
			"unavailable",
			`the state directory ${dir} can't be created: ${(cause as Error).message}; set EARSHOT_STATE_DIR to a writable directory`,
			cause,
		);
	}
}

/** Not mkdir's own `recursive`: where a parent exists but mkdir fails with ENOENT, as in /proc, that never returns. */
function makeWithParents(path: string): void {
	try {
		makeFolder(path);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const parent = dirname(path);
		if (code === "ENOENT" && !existsSync(parent)) {
			makeWithParents(parent);
			makeFolder(path);
		} else if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
			throw error;
		}
	}
}

function makeFolder(path: string): void {
	mkdirSync(path, { mode: 0o700 });
	giveToFolderOwner(path);
}

export interface StateDirLock {
	/** Marks the database as checked for visitors (`isServed`). */
	readonly noteChecked: () => void;
	readonly unlock: () => void;
}

/** @throws StoreError when another running program holds it. */
export function lockStateDir(dir: string): StateDirLock {
	const path = join(dir, "serve.lock");
	for (;;) {
		const file = openLock(path);
		const isMine = tryLockFile(file, "exclusive");
		const holder = readHolder(path);
		// versions without the kernel's lock only wrote their pid to the file
		if (!isMine || (holder && isRunning(holder))) {
			closeSync(file);
			throw inUse(dir, holder);
		}
		if (isAt(file, path)) {
			writeHolder(file, false);
			return {
				noteChecked: () => writeHolder(file, true),
				unlock: () => {
					rmSync(path, { force: true });
					closeSync(file);
				},
			};
		}
		closeSync(file); // removed by its holder after we had opened it
	}
}

/** Whether a server runs there that has its database open, and so has checked it. */
export function isServed(dir: string): boolean {
	const holder = readHolder(join(dir, "serve.lock"));
	return holder?.hasChecked === true && isRunning(holder);
}

function inUse(dir: string, holder: Holder | undefined): StoreError {
	return new StoreError(
		"in-use",
		`${holder ? `process ${holder.pid}` : "another process"} already uses ${dir}; set a different EARSHOT_STATE_DIR`,
	);
}

interface Holder {
	readonly pid: number;
	/** Clock ticks from boot to the process's start. */
	readonly startTicks: string;
	/** Absent until its database is open. */
	readonly hasChecked?: boolean;
}

function openLock(path: string): number {
	try {
		return openForFolderOwner(path, constants.O_RDWR, 0o600);
	} catch (cause) {
		throw new StoreError(
			"unavailable",
			`${path} can't be written: ${(cause as Error).message}`,
			cause,
		);
	}
}

function isAt(file: number, path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
}

/** For people, for the message above, and for visitors, who can do without it: on a full disk the lock is held all the same. */
function writeHolder(file: number, hasChecked: boolean): void {
	const { pid } = process;
	const holder: Holder = { pid, startTicks: startTicksOf(pid), hasChecked };
	ftruncateSync(file);
	try {
		writeSync(file, JSON.stringify(holder), 0);
	} catch (error) {
		if (!isDiskFull(error)) throw error;
	}
}

function readHolder(path: string): Holder | undefined {
	try {
		const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder>;
		return typeof holder.pid === "number" &&
			typeof holder.startTicks === "string"
			? {
					pid: holder.pid,
					startTicks: holder.startTicks,
					hasChecked: holder.hasChecked === true,
				}
			: undefined;
	} catch {
		return undefined; // incomplete or removed: the holder is gone
	}
}

function isRunning(holder: Holder): boolean {
	return startTicksOf(holder.pid) === holder.startTicks;
}
