/** Downloads files from a server, keeping incomplete ones for resumption. A file is accepted only if its checksum is the expected one. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { PackageError } from "./model-package.js";
import { removePart } from "./part-edition.js";
import {
	type ExpectedLength,
	fetchInto,
	type ResumeOptions,
	sizeOf,
} from "./resumed-fetch.js";
import { sha256OfFile } from "./verify.js";

/** A file to download, with its expected contents. */
export interface WantedFile extends Omit<ExpectedLength, "bytesMax"> {
	/** Name of the local file. */
	readonly name: string;
	readonly sha256: string;
}

/** Limit for a file of unknown size. */
const bytesMax = 32e9;

/** Downloads into `options.directory`, unless the file is already there. @param url absolute. @throws PackageError; a partial file is kept, a wrong one is not. */
export async function downloadFile(
	file: WantedFile,
	url: string,
	options: ResumeOptions,
): Promise<void> {
	const { directory, onBytes } = options;
	const { name, sha256, bytes, promisedBy } = file;
	const path = join(directory, name);
	await mkdir(directory, { recursive: true });
	const existingBytes = await sizeOf(path);
	if (
		existingBytes > 0 &&
		existingBytes === (bytes ?? existingBytes) &&
		(await sha256OfFile(path)) === sha256
	) {
		onBytes?.(existingBytes);
		return;
	}
	const part = join(directory, `${sha256}.part`);
	onBytes?.(await sizeOf(part));
	await fetchInto(part, url, { ...file, bytesMax }, options);
	const found = await sha256OfFile(part);
	if (found !== sha256) {
		await removePart(part);
		throw new PackageError(
			`${url} does not match ${promisedBy} (sha256 ${found.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...): it was discarded`,
		);
	}
	await rename(part, path);
}
