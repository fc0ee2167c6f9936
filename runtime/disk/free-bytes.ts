/** How much more can be written: what users other than root have left. */
import { statfs } from "node:fs/promises";

/** Free bytes of the file system that a folder is on. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (folder) => {
	const { bavail, bsize } = await statfs(folder);
	return bavail * bsize;
};
