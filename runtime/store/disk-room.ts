/** Checks for disk space before a write of known size: a disk that fills up affects everything on it. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type FreeBytes, freeBytesOf } from "../disk/free-bytes.js";
import { StoreError } from "./store-error.js";

export interface NeededRoom {
	/** What fails without the space, for people. */
	readonly what: string;
	readonly folder: string;
	readonly bytes: number;
	/** Left free after the write (`files.disk_reserve_megabytes`). */
	readonly reserveBytes: number;
}

/** @throws StoreError full, with the numbers; nothing was written */
export async function requireRoom(
	{ what, folder, bytes, reserveBytes }: NeededRoom,
	freeBytes: FreeBytes = freeBytesOf,
): Promise<void> {
	const free = await freeBytes(folder);
	if (free - bytes >= reserveBytes) return;
	const reserve =
		reserveBytes > 0
			? ` and ${megabytes(reserveBytes)} must stay free (files.disk_reserve_megabytes)`
			: "";
	throw new StoreError(
		"full",
		`${what}: it needs ${megabytes(bytes)}${reserve}; ${megabytes(free)} are free in ${folder}`,
	);
}

/** Enough for the rows of one commit, and for the pages that lead to them. */
const commitBytesMax = 4 * 1024 * 1024;

/** @param path of the database. @returns why no commit may begin; undefined where there is room */
export function commitRoomFault(
	path: string,
	freeBytes: (folder: string) => number = freeBytesNow,
): StoreError | undefined {
	const free = freeBytes(dirname(path));
	if (free >= commitBytesMax) return undefined;
	return new StoreError(
		"full",
		`${path} can't be written: the disk is full (${megabytes(free)} are free); make room on it`,
	);
}

/** Takes 5 us. */
function freeBytesNow(folder: string): number {
	try {
		const { blocks, bfree, bavail, bsize } = statfsSync(folder);
		if (blocks === 0) return Number.POSITIVE_INFINITY; // a file system that does not say
		return (process.geteuid?.() === 0 ? bfree : bavail) * bsize; // some is kept for root
	} catch {
		return Number.POSITIVE_INFINITY; // the commit will say what is wrong
	}
}

/** In MiB, the unit of the configuration. */
function megabytes(bytes: number): string {
	return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
