/** The files of a state directory: the database, its backup, and a mark of suspected damage. */
import { closeSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeForFolderOwner } from "../disk/folder-owner.js";

export const databasePath = (dir: string) => join(dir, "store.mdb");
export const backupPath = (dir: string) => join(dir, "store.backup.mdb");

/** Marks that a row of the database could not be read: the next check reads all rows. */
const suspicionPath = (dir: string) => join(dir, "store.suspect");

export function hasContent(path: string): boolean {
	return existsSync(path) && statSync(path).size > 0;
}

/** Unix time of the last write to the database, by its file; undefined if there is none. */
export function lastWrittenSeconds(dir: string): number | undefined {
	const stats = statSync(databasePath(dir), { throwIfNoEntry: false });
	return stats && stats.mtimeMs / 1000;
}

export function isSuspect(dir: string): boolean {
	return existsSync(suspicionPath(dir));
}

/** Never throws: damage that can't be marked will be found again. */
export function suspect(dir: string): void {
	if (isSuspect(dir)) return;
	try {
		closeSync(makeForFolderOwner(suspicionPath(dir), 0o600));
	} catch {}
}

export function clearSuspicion(dir: string): void {
	rmSync(suspicionPath(dir), { force: true });
}
