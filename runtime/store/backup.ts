/**
 * A copy of the database that is whole or not there, and a state directory that goes on from one.
 *
 * INVARIANTS
 * - A backup is of one moment, whatever is written meanwhile; every write acknowledged before it began is in it.
 * - A restore changes nothing until the copy has been read from its first row to its last; then it takes effect in one step. The old state is kept.
 */
import {
	chmodSync,
	closeSync,
	copyFileSync,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import type { Database } from "./database.js";
import { type FreeBytes, freeBytesOf, requireRoom } from "./disk-room.js";
import { damageOf, databasePath, hasContent } from "./open-store.js";
import { lockStateDir, makeStateDir } from "./state-dir.js";
import { StoreError } from "./store-error.js";

export interface BackupRoom {
	/** Left free on the file system of the database, where the backup is on the same. */
	readonly reserveBytes: number;
	readonly freeBytes?: FreeBytes;
}

/** @param path replaced, if there is something. @throws StoreError: full where there is no room for it, before anything is written */
export async function writeBackup(
	database: Database,
	path: string,
	{ reserveBytes, freeBytes = freeBytesOf }: BackupRoom,
): Promise<void> {
	const folder = dirname(resolve(path));
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
		throw new StoreError("unavailable", `the folder ${folder} is not there`); // lmdb would make it
	const unfinished = `${path}.new`;
	const what = `${path} can't be written`;
	await inOneSentence(what, async () => {
		try {
			rmSync(unfinished, { force: true });
			const { size: bytes, dev } = statSync(database.path);
			const isBeside = statSync(folder).dev === dev;
			await requireRoom(
				{ what, folder, bytes, reserveBytes: isBeside ? reserveBytes : 0 },
				freeBytes,
			);
			await database.backup(unfinished);
			keepForOwner(unfinished); // it holds the applications' secrets
			renameSync(unfinished, path);
			sync(folder);
		} finally {
			rmSync(unfinished, { force: true });
		}
	});
}

export interface Restored {
	/** Where the state of before lies; undefined where there was none. */
	readonly before: string | undefined;
}

/**
 * @param file made by `writeBackup`.
 * @throws StoreError: in-use while a server runs there; full where there is no room for the copy; damaged when the file is no sound database.
 */
export async function restoreBackup(
	dir: string,
	file: string,
): Promise<Restored> {
	if (!hasContent(file))
		throw new StoreError("unavailable", `${file} is not there, or is empty`);
	makeStateDir(dir);
	const unlock = lockStateDir(dir);
	const path = databasePath(dir);
	const copy = `${path}.restoring`;
	const what = `${file} can't be restored`;
	const restore = async (): Promise<Restored> => {
		const { size: bytes } = statSync(file);
		await requireRoom({ what, folder: dir, bytes, reserveBytes: 0 });
		copyFileSync(file, copy); // checked where it will be used, not where it lies
		keepForOwner(copy);
		const reason = await damageOf(copy, {});
		if (reason !== undefined)
			throw new StoreError(
				"damaged",
				`${file} is damaged and can't be restored: ${reason}`,
			);
		const before = existsSync(path) ? asidePath(path) : undefined;
		if (before !== undefined) linkSync(path, before);
		renameSync(copy, path); // in place of the old one, which has its second name
		rmSync(`${path}-lock`, { force: true });
		sync(dir);
		return { before };
	};
	try {
		return await inOneSentence(what, restore);
	} finally {
		rmSync(copy, { force: true });
		rmSync(`${copy}-lock`, { force: true });
		unlock();
	}
}

/** What the operating system refuses, for people. */
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

function asidePath(path: string): string {
	const stamp = new Date().toISOString().replace(/[:.]/g, "-");
	return `${path}.before-restore-${stamp}`;
}

function keepForOwner(path: string): void {
	chmodSync(path, 0o600);
	sync(path);
}

function sync(path: string): void {
	const file = openSync(path, "r");
	fsyncSync(file);
	closeSync(file);
}
