/** Checks for disk space before a write of known size: a disk that fills up affects everything on it. */
import { statfs } from "node:fs/promises";
import { StoreError } from "./store-error.js";

/** Free bytes of the file system that a folder is on. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (folder) => {
	const { bavail, bsize } = await statfs(folder);
	return bavail * bsize;
};

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

/** In MiB, the unit of the configuration. */
function megabytes(bytes: number): string {
	return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
