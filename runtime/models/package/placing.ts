/**
 * Puts files into the folder of models, completely or not at all. Writes are synced before they count as done, links are not followed, and a folder
 * is renamed into place in one step.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import {
	type FileHandle,
	lstat,
	open,
	readdir,
	rename,
	rm,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { giveToFolderOwner } from "../../disk/folder-owner.js";
import { freeBytesOf } from "../../disk/free-bytes.js";
import { isDiskFull } from "../../disk/full-disk.js";
import { exists, syncFile, writeAll } from "../../disk/whole-file.js";
import { InstallRefusal, PackageError } from "./model-package.js";
import { sha256OfFile } from "./verify.js";

export interface WrittenFile {
	readonly sha256: string;
	readonly bytes: number;
}

const chunkBytes = 1024 * 1024;
/** Of folders that are being made or removed. */
export const addingPrefix = ".adding-";
const leftover = /^\.(?:adding|unpacking|removing)-/;
const replaced = ".old-";
const leftoverMsMin = 24 * 3600 * 1000;

/** Follows no link: it could lead out of the folder that the operator trusts. */
export async function copyFile(
	from: string,
	to: string,
	signal: AbortSignal | undefined,
	onBytes: (bytes: number) => void,
): Promise<WrittenFile> {
	const source = await openPlain(from);
	try {
		const target = await open(to, "wx", 0o644);
		try {
			const hash = createHash("sha256");
			const chunk = Buffer.alloc(chunkBytes);
			let bytes = 0;
			for (;;) {
				signal?.throwIfAborted();
				const { bytesRead } = await source.read(chunk, 0, chunkBytes, bytes);
				if (bytesRead === 0) break;
				const piece = chunk.subarray(0, bytesRead);
				hash.update(piece);
				await writeAll(target, piece);
				bytes += bytesRead;
				onBytes(bytesRead);
			}
			await target.sync();
			return { sha256: hash.digest("hex"), bytes };
		} finally {
			await target.close();
		}
	} finally {
		await source.close();
	}
}

async function openPlain(path: string): Promise<FileHandle> {
	const found = await lstat(path);
	if (!found.isFile())
		throw new PackageError(
			`${path} is ${found.isSymbolicLink() ? "a link" : "not a file"}: a package consists of plain files`,
		);
	return open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}

/** As `copyFile`, but the source file is removed. */
export async function moveFile(
	from: string,
	to: string,
	onBytes: (bytes: number) => void,
): Promise<WrittenFile> {
	const source = await openPlain(from);
	try {
		await rename(from, to);
		await source.sync();
		const { size } = await source.stat();
		return { sha256: await sha256OfFile(to, onBytes), bytes: size };
	} finally {
		await source.close();
	}
}

/** The name that a package has while another one takes its place. */
export function replacedName(name: string): string {
	return `${replaced}${name}`;
}

/**
 * Removes what an interrupted installation or removal left behind: hidden, and unmodified for a day. A package that was to be replaced gets its name back
 * where no other has it: the power was cut between two renames.
 */
export async function sweepLeftovers(directory: string): Promise<void> {
	for (const name of await readdir(directory)) {
		const path = join(directory, name);
		if (name.startsWith(replaced)) {
			const original = join(directory, name.slice(replaced.length));
			if (!(await exists(original))) {
				await rename(path, original);
				continue;
			}
		} else if (!leftover.test(name)) continue;
		const { mtimeMs } = await lstat(path).catch(() => ({
			mtimeMs: Date.now(),
		}));
		if (Date.now() - mtimeMs > leftoverMsMin)
			await rm(path, { recursive: true, force: true });
	}
}

/** Before anything is fetched or copied. @throws PackageError */
export async function refuseExisting(
	to: string,
	replace = false,
): Promise<void> {
	if (!replace && (await exists(to)))
		throw new InstallRefusal(
			`${to} already exists: remove it first, or use --replace`,
		);
}

/** Removes the old folder after the new one is in place, and on the disk: a power cut leaves one of them, the old one perhaps under its other name. */
export async function replaceFolder(made: string, to: string): Promise<void> {
	const old = join(dirname(to), replacedName(basename(to)));
	giveToFolderOwner(made);
	await syncFile(made);
	await rm(old, { recursive: true, force: true });
	const wasThere = await exists(to);
	if (wasThere) await rename(to, old);
	try {
		await rename(made, to);
	} catch (error) {
		if (wasThere) await rename(old, to);
		throw error;
	}
	await syncFile(dirname(to));
	await rm(old, { recursive: true, force: true });
}

/** @throws PackageError */
export async function refuseWithoutRoom(
	directory: string,
	bytes: number,
): Promise<void> {
	refuseMoreThan(await freeBytesOf(directory), directory, bytes);
}

/** @throws PackageError */
export function refuseMoreThan(
	free: number,
	directory: string,
	bytes: number,
): void {
	if (bytes > free)
		throw new InstallRefusal(
			`${directory}: ${megabytes(bytes)} are needed, ${megabytes(free)} are free`,
		);
}

export const nothingKept = "nothing was kept";

/** @param kept what a full disk and a stop leave behind, for the message. */
export function asPackageError(
	error: unknown,
	directory: string,
	kept = nothingKept,
): unknown {
	const { code } = error as NodeJS.ErrnoException;
	if (isDiskFull(error))
		return new InstallRefusal(`${directory}: the disk is full; ${kept}`);
	if (code === "EACCES" || code === "EROFS" || code === "EPERM")
		return new InstallRefusal(`${directory} can't be written (${code})`);
	if (error instanceof Error && error.name === "AbortError")
		return new InstallRefusal(`stopped; ${kept}`);
	return error;
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(1)} MB`;
}
