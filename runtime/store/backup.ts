/**
 * Writes a copy of the database, complete or not at all, and restores a state directory from one.
 *
 * INVARIANTS
 * - A backup is a snapshot of one moment, whatever is written meanwhile; it includes every write acknowledged before it began.
 * - Every row of a backup has been read before it replaces the previous backup: damage in the database does not spread to its backup.
 * - A restore changes nothing until the copy has been read from its first row to its last; then it takes effect in one step. The old state is kept.
 */
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
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
		try {
			removeUnfinished(folder, basename(path));
			const { size: bytes, dev } = statSync(database.path);
			const isBeside = statSync(folder).dev === dev;
			await requireRoom(
				{ what, folder, bytes, reserveBytes: isBeside ? reserveBytes : 0 },
				freeBytes,
			);
			await database.backup(unfinished);
			// in a folder of other users it stays root's: it contains secrets
			if (folder === dirname(database.path)) giveToFolderOwner(unfinished);
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

/** What processes left that were killed. */
function removeUnfinished(folder: string, name: string): void {
	for (const found of readdirSync(folder)) {
		if (!found.startsWith(`${name}.`)) continue;
		// without a process it is of a version before this one
		const [isOne, pid = process.pid] =
			/^(?:(\d+)\.)?new(?:-lock)?$/.exec(found.slice(name.length + 1)) ?? [];
		const isOthers = Number(pid) !== process.pid && isRunning(Number(pid));
		if (isOne && !isOthers) rmSync(join(folder, found), { force: true });
	}
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
