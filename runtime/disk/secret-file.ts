/**
 * Files that the owner of their folder alone may read, written completely or not at all as those of whole-file.ts are. Synchronous, since such a file is small
 * and written at a start, before anything else goes on.
 */
import { randomBytes } from "node:crypto";
import {
	closeSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeForFolderOwner } from "./folder-owner.js";

/** @throws NodeJS.ErrnoException; the previous file is kept then. */
export function writeSecret(path: string, content: string | Uint8Array): void {
	const growing = `${path}.${randomBytes(4).toString("hex")}`;
	const file = makeForFolderOwner(growing, 0o600);
	try {
		writeFileSync(file, content); // a single write may take a part of it
		fsyncSync(file);
		renameSync(growing, path);
		syncNow(dirname(path));
	} catch (error) {
		rmSync(growing, { force: true });
		throw error;
	} finally {
		closeSync(file);
	}
}

/** @param path may be a folder: its names are flushed. */
export function syncNow(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}
