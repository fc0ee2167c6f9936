/**
 * Files that are written completely or not at all, also after a power cut: written under a temporary name, flushed, then renamed. For data outside the
 * database.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a world-readable file. Several processes may write the same one at once: the last one stays. @throws NodeJS.ErrnoException; the previous file is kept
 * then.
 */
export async function writeWhole(
	path: string,
	content: string | Uint8Array,
): Promise<void> {
	const growing = `${path}.${randomBytes(4).toString("hex")}`;
	const file = await open(growing, "wx", 0o644);
	try {
		await file.chmod(0o644); // a service of root's may have a mask that others can't read through
		await file.writeFile(content);
		await file.sync();
		await renameSurely(growing, path);
	} catch (error) {
		await rm(growing, { force: true });
		throw error;
	} finally {
		await file.close();
	}
}

/** Renames durably: the new name is on the disk when this resolves. */
export async function renameSurely(from: string, to: string): Promise<void> {
	await rename(from, to);
	await syncFile(dirname(to));
}

/** @param path may be a folder: its names are flushed. */
export async function syncFile(path: string): Promise<void> {
	const file = await open(path, "r");
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}

/** A single `write` may write fewer bytes than given. */
export async function writeAll(
	file: FileHandle,
	bytes: Uint8Array,
): Promise<void> {
	for (let done = 0; done < bytes.length; )
		done += (await file.write(bytes, done)).bytesWritten;
}

/** A link counts as existing, whatever its target. */
export async function exists(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		() => false,
	);
}
