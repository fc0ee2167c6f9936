/** Files from a server, kept while they are incomplete. A file counts only when its checksum is the one that was promised. */
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { PackageError } from "./model-package.js";
import {
	type ExpectedLength,
	fetchInto,
	type ResumeOptions,
	sizeOf,
} from "./resumed-fetch.js";
import { sha256OfFile } from "./verify.js";

/** A file, and what was promised of it. */
export interface WantedFile extends Omit<ExpectedLength, "bytesMax"> {
	/** What it is called here. */
	readonly name: string;
	readonly sha256: string;
}

/** Of a file whose size nobody promised. */
const bytesMax = 32e9;

/** Into `options.directory`, unless it is there already. @param url absolute. @throws PackageError; what came so far is kept, unless it is wrong. */
export async function downloadFile(
	file: WantedFile,
	url: string,
	options: ResumeOptions,
): Promise<void> {
	const { directory, onBytes } = options;
	const { name, sha256, bytes, promisedBy } = file;
	const path = join(directory, name);
	await mkdir(directory, { recursive: true });
	const there = await sizeOf(path);
	if (
		there > 0 &&
		there === (bytes ?? there) &&
		(await sha256OfFile(path)) === sha256
	) {
		onBytes?.(there);
		return;
	}
	const part = join(directory, `${sha256}.part`);
	onBytes?.(Math.min(await sizeOf(part), bytes ?? bytesMax));
	await fetchInto(part, url, { ...file, bytesMax }, options);
	const found = await sha256OfFile(part);
	if (found !== sha256) {
		await rm(part, { force: true });
		throw new PackageError(
			`${url} is not what ${promisedBy} says (sha256 ${found.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...): it is thrown away`,
		);
	}
	await rename(part, path);
}
