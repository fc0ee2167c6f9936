/**
 * Takes the files of a catalogue's entry out of its archive. The archive is kept until they are there, or until it turns out to be a wrong one: whoever was stopped, or had
 * to make room, does not download it again.
 */
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveFault } from "./archive/archive-entry.js";
import { unpackArchive } from "./archive/unpack.js";
import type { CatalogueFile } from "./catalogue-entry.js";
import { PackageError } from "./model-package.js";
import { removePart } from "./part-edition.js";
import { asPackageError } from "./placing.js";
import { fetchInto, type ResumeOptions, sizeOf } from "./resumed-fetch.js";
import { sha256OfFile } from "./verify.js";

export interface WantedArchive {
	readonly url: string;
	readonly bytesMax: number;
	/** It may contain others, which are not kept. */
	readonly files: readonly CatalogueFile[];
	/** Absent: only those of the files are known, or not even these. */
	readonly sha256?: string;
	/** Where the checksum comes from, for messages. */
	readonly promisedBy: string;
}

export interface TakeOptions
	extends Omit<ResumeOptions, "directory" | "onBytes" | "onTotal"> {
	readonly onBytes?: (bytes: number, total: number) => void;
}

/** The archive is another one, or can't be used: there is no point in keeping it. */
class WrongArchive extends PackageError {}

/** @returns the archive's size, and its checksum where it was needed. @throws PackageError; only a wrong archive is removed. */
export async function takeFromArchive(
	archive: WantedArchive,
	folder: string,
	options: TakeOptions,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
	const { url, bytesMax, promisedBy } = archive;
	const { onBytes, ...others } = options;
	const part = join(folder, "archive.part");
	const counted = counting(onBytes);
	counted.onBytes(await sizeOf(part));
	await fetchInto(
		part,
		url,
		{ bytesMax, promisedBy },
		{ ...others, ...counted, directory: folder },
	);
	try {
		const sha256 = await checksumOf(part, archive, options);
		const bytes = await sizeOf(part);
		await unpackFiles(archive, part, folder, options);
		await removePart(part);
		return { sha256, bytes };
	} catch (error) {
		const isFault = error instanceof ArchiveFault;
		if (isFault || error instanceof WrongArchive) await removePart(part);
		if (isFault)
			throw new PackageError(`${url}: ${error.message}; nothing was kept`);
		throw asPackageError(error, folder, "what was fetched is kept");
	}
}

async function checksumOf(
	part: string,
	{ url, sha256, promisedBy }: WantedArchive,
	{ unchecked }: TakeOptions,
): Promise<string> {
	if (sha256 === undefined && !unchecked) return "";
	const found = await sha256OfFile(part);
	if (sha256 !== undefined && found !== sha256)
		throw new WrongArchive(
			`${url} does not match ${promisedBy} (sha256 ${found.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...): it was discarded`,
		);
	return found;
}

async function unpackFiles(
	archive: WantedArchive,
	part: string,
	folder: string,
	{ signal }: TakeOptions,
): Promise<void> {
	const unpacked = join(folder, "archive");
	await rm(unpacked, { recursive: true, force: true });
	await mkdir(unpacked);
	try {
		await unpackArchive(part, unpacked, signal ? { signal } : {});
		await takeFiles(archive, unpacked, folder);
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

async function takeFiles(
	{ files, url }: WantedArchive,
	unpacked: string,
	folder: string,
): Promise<void> {
	const entries = await readdir(unpacked, {
		recursive: true,
		withFileTypes: true,
	});
	for (const { name, sha256 } of files) {
		const found = entries.filter((it) => it.isFile() && it.name === name);
		const [first, second] = found;
		if (!first)
			throw new WrongArchive(`${url} contains no ${name}: nothing was kept`);
		if (second && sha256 === undefined)
			throw new WrongArchive(
				`${url} contains ${name} twice, in ${first.parentPath.slice(unpacked.length + 1)} and ${second.parentPath.slice(unpacked.length + 1)}: nothing was kept`,
			);
		const path = join(first.parentPath, name);
		const actual = sha256 && (await sha256OfFile(path));
		if (actual !== sha256)
			throw new WrongArchive(
				`${url}: ${name} does not match the catalogue (sha256 ${actual?.slice(0, 12)}..., expected ${sha256?.slice(0, 12)}...): nothing was kept`,
			);
		await rename(path, join(folder, name));
	}
}

function counting(onBytes: TakeOptions["onBytes"]) {
	let done = 0;
	let total = 0;
	return {
		onTotal: (bytes: number) => {
			total = bytes;
		},
		onBytes: (bytes: number) => {
			done += bytes;
			if (total > 0) onBytes?.(done, total);
		},
	};
}
