/**
 * Writes a copy of the database, complete or not at all, and restores a state directory from one.
 *
 * INVARIANTS
 * - A backup is a snapshot of one moment, whatever is written meanwhile; it includes every write acknowledged before it began.
 * - Every row of a backup has been read before it replaces the previous backup: damage in the database does not spread to its backup.
 * - A restore changes nothing until the copy has been read from its first row to its last; then it takes effect in one step. The old state is kept.
 */
import { lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { giveToFolderOwner, setModeOfMade } from "../disk/folder-owner.js";
import { type FreeBytes, freeBytesOf } from "../disk/free-bytes.js";
import { syncNow } from "../disk/secret-file.js";
import { isRunning } from "../process/running-process.js";
import { type CheckOptions, damageOf } from "./damage-check.js";
import type { Database } from "./database.js";
import { requireRoom } from "./disk-room.js";
import { replaceDatabase, timeStamp } from "./replacement.js";
import { lockStateDir, makeStateDir } from "./state-dir.js";
import { databasePath, hasContent } from "./state-files.js";
import { StoreError } from "./store-error.js";

export interface BackupOptions {
	/** Left free on the file system of the database, if the backup is on the same one. */
	readonly reserveBytes: number;
	readonly freeBytes?: FreeBytes;
	/** Options of checking the copy. */
	readonly check?: Pick<CheckOptions, "checkCommand" | "signal">;
}

/**
 * @param path is replaced if it exists.
 * @throws StoreError: full if there is no space for it, before anything is written; damaged if the database has rows that can't be read
 */
export async function writeBackup(
	database: Database,
	path: string,
	{ reserveBytes, freeBytes = freeBytesOf, check }: BackupOptions,
): Promise<void> {
	const folder = dirname(resolve(path));
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
		throw new StoreError("unavailable", `the folder ${folder} does not exist`); // lmdb would create it
	// the server and a command may make the same one at a time
	const unfinished = `${path}.${process.pid}.new`;
	const what = `${path} can't be written`;
	await inOneSentence(what, async () => {
		if (isSameFile(path, database.path))
			throw new StoreError(
				"unavailable",
				`${path} is the database itself, which a server would lose; give another file`,
			);
		const isOurs = folder === dirname(database.path);
		const left = leftBehind(folder, basename(path), isOurs);
		const { size: bytes, dev } = statSync(database.path);
		const isBeside = statSync(folder).dev === dev;
		await requireRoom(
			{ what, folder, bytes, reserveBytes: isBeside ? reserveBytes : 0 },
			async (it) => (await freeBytes(it)) + bytesOnDiskOf(left),
		);
		for (const it of left) rmSync(it, { force: true });
		try {
			await database.backup(unfinished);
			// in a folder of other users it stays root's: it contains secrets
			if (isOurs) giveToFolderOwner(unfinished);
			setModeOfMade(unfinished, 0o600);
			syncNow(unfinished);
			const reason = await damageOf(unfinished, {
				...check,
				isBackground: true,
			});
			if (reason !== undefined)
				throw new StoreError(
					"damaged",
					`${database.path} has unreadable rows, so no copy of it is kept: ${reason}`,
				);
			renameSync(unfinished, path);
			syncNow(folder);
		} finally {
			rmSync(unfinished, { force: true });
			rmSync(`${unfinished}-lock`, { force: true });
		}
	});
}

/** Paths of what processes left that were killed. @param isOurs nobody else writes into the folder */
function leftBehind(folder: string, name: string, isOurs: boolean): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(
			(it) =>
				it.name.startsWith(`${name}.`) &&
				!it.isDirectory() &&
				isLeftBehind(it.name.slice(name.length + 1), isOurs),
		)
		.map((it) => join(folder, it.name));
}

function isLeftBehind(ending: string, isOurs: boolean): boolean {
	const [isOne, pid] = /^(?:(\d+)\.)?new(?:-lock)?$/.exec(ending) ?? [];
	if (isOne === undefined) return false;
	// without a process it is of an earlier version, or a stranger's
	if (pid === undefined) return isOurs;
	return Number(pid) === process.pid || !isRunning(Number(pid));
}

const blockBytes = 512;

function bytesOnDiskOf(paths: readonly string[]): number {
	return paths.reduce((sum, path) => {
		const { blocks = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
		return sum + blocks * blockBytes;
	}, 0);
}

function isSameFile(path: string, other: string): boolean {
	const found = statSync(path, { throwIfNoEntry: false });
	const { ino, dev } = statSync(other);
	return found?.ino === ino && found.dev === dev;
}

export interface Restored {
	/** Path of the previous state; undefined if there was none. */
	readonly before: string | undefined;
}

/**
 * @param file made by `writeBackup`.
 * @throws StoreError: in-use while a server runs there; full if there is no space for the copy; damaged when the file is not a valid database.
 */
export async function restoreBackup(
	dir: string,
	file: string,
): Promise<Restored> {
	if (!hasContent(file))
		throw new StoreError("unavailable", `${file} does not exist or is empty`);
	makeStateDir(dir);
	const { unlock } = lockStateDir(dir);
	const what = `${file} can't be restored`;
	const aside = `${databasePath(dir)}.before-restore-${timeStamp()}`;
	try {
		const wasThere = await inOneSentence(what, () =>
			replaceDatabase({ dir, file, what, aside }),
		);
		return { before: wasThere ? aside : undefined };
	} finally {
		unlock();
	}
}

/** Converts errors of the operating system to a sentence for people. */
async function inOneSentence<T>(
	what: string,
	act: () => Promise<T>,
): Promise<T> {
	try {
		return await act();
	} catch (cause) {
		if (cause instanceof StoreError) throw cause;
		const { code, message } = cause as NodeJS.ErrnoException;
		const trouble = code === "ENOSPC" ? "full" : "unavailable";
		throw new StoreError(trouble, `${what}: ${message}`, cause);
	}
}
