/** The files that a package is made of: their size, and the texts beside the model's own files. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { PackageError } from "./model-package.js";

export interface Source {
	/** Its name in the package. */
	readonly file: string;
	readonly path: string;
}

/** Texts that are copied along with the model's files. */
const texts = ["LICENSE", "NOTICE"];
const textBytesMax = 1024 * 1024;

export async function bytesOf(sources: readonly Source[]): Promise<number> {
	let total = 0;
	for (const { path } of sources) total += (await lstatOf(path)).size;
	return total;
}

async function lstatOf(path: string) {
	try {
		return await lstat(path);
	} catch {
		throw new PackageError(`${path} is missing`);
	}
}

/** @returns name and path of each. */
export async function textsIn(folder: string): Promise<[string, string][]> {
	const found: [string, string][] = [];
	for (const name of texts) {
		const path = join(folder, name);
		const about = await lstat(path).catch(() => undefined);
		if (about?.isFile() && about.size <= textBytesMax) found.push([name, path]);
	}
	return found;
}
