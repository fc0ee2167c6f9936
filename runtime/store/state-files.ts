/** The files of a state directory that hold the database, its backup, and what is known of it. */
import { closeSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeForFolderOwner } from "../disk/folder-owner.js";

export const databasePath = (dir: string) => join(dir, "store.mdb");
export const backupPath = (dir: string) => join(dir, "store.backup.mdb");

/** That a row of the database could not be read: its next check reads them all. */
const suspicionPath = (dir: string) => join(dir, "store.suspect");

export function hasContent(path: string): boolean {
	return existsSync(path) && statSync(path).size > 0;
}

/** Unix time, as the disk has it, when the database was written last; undefined where there is none. */
export function lastWrittenSeconds(dir: string): number | undefined {
	const there = statSync(databasePath(dir), { throwIfNoEntry: false });
	return there && there.mtimeMs / 1000;
}

export function isSuspect(dir: string): boolean {
	return existsSync(suspicionPath(dir));
}

/** Never throws: what can't be noted is met again. */
export function suspect(dir: string): void {
	if (isSuspect(dir)) return;
	try {
		closeSync(makeForFolderOwner(suspicionPath(dir), 0o600));
	} catch {}
}

export function clearSuspicion(dir: string): void {
	rmSync(suspicionPath(dir), { force: true });
}
