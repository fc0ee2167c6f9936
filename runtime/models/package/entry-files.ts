/**
 * Brings the files of a catalogue's entry into a folder: each from its own address, or all out of one archive. What has a checksum is compared with it; what
 * has none is reported, and not used before somebody accepted it.
 */
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveFault } from "./archive/archive-entry.js";
import { unpackArchive } from "./archive/unpack.js";
import type { CatalogueEntry, CatalogueFile } from "./catalogue-entry.js";
import { downloadFile } from "./download.js";
import { PackageError } from "./model-package.js";
import type { ModelPins } from "./pins.js";
import { fetchInto, type ResumeOptions, sizeOf } from "./resumed-fetch.js";
import { sha256OfFile } from "./verify.js";

/** A file that nobody published a checksum of. */
export interface UnpinnedFile {
	/** Of the file, or `archive`. */
	readonly name: string;
	readonly url: string;
	readonly sha256: string;
	readonly bytes: number;
}

export interface EntryFilesOptions
	extends Pick<ResumeOptions, "signal" | "pauseMs" | "stallMsMax"> {
	/** Of the catalogue: a URL, or a path. */
	readonly location: string;
	/** Accepted earlier, by file. */
	readonly pins: ModelPins;
	readonly redirectHosts: readonly string[];
	readonly onBytes?: (bytes: number, total: number) => void;
}

/** Name of an archive's checksum among the pins. */
const archiveName = "archive";
const bytesMax = 64 * 1024 ** 3;
const catalogue = "the catalogue";
const earlier = "what was accepted before (pins.json)";

/** @returns the files without a checksum, which are in the folder as well. @throws PackageError; what was fetched so far is kept for the next call. */
export async function obtainFiles(
	entry: CatalogueEntry,
	folder: string,
	options: EntryFilesOptions,
): Promise<UnpinnedFile[]> {
	await mkdir(folder, { recursive: true });
	return entry.archive
		? fromArchive(entry, entry.archive, folder, options)
		: fromAddresses(entry, folder, options);
}

async function fromAddresses(
	{ files }: CatalogueEntry,
	folder: string,
	options: EntryFilesOptions,
): Promise<UnpinnedFile[]> {
	const total = files.reduce((sum, it) => sum + (it.bytes ?? 0), 0);
	const unpinned: UnpinnedFile[] = [];
	let done = 0;
	const onBytes = (bytes: number) => {
		done += bytes;
		options.onBytes?.(done, Math.max(done, total));
	};
	for (const file of files) {
		const url = urlOf(file.url ?? "", options.location);
		const sha256 = file.sha256 ?? options.pins[file.name];
		const promisedBy = file.sha256 === undefined ? earlier : catalogue;
		if (sha256 !== undefined)
			await downloadFile(
				{ ...sized(file), name: file.name, sha256, promisedBy },
				url,
				{ directory: folder, onBytes, ...resuming(options) },
			);
		else
			unpinned.push(await fetchUnpinned(file, url, folder, onBytes, options));
	}
	return unpinned;
}

/** Whole, but with nothing to compare it with. */
async function fetchUnpinned(
	file: CatalogueFile,
	url: string,
	folder: string,
	onBytes: (bytes: number) => void,
	options: EntryFilesOptions,
): Promise<UnpinnedFile> {
	const { name } = file;
	const path = join(folder, name);
	if ((await sizeOf(path)) === 0) {
		const part = `${path}.part`;
		await fetchInto(
			part,
			url,
			{ ...sized(file), bytesMax, promisedBy: catalogue },
			{
				directory: folder,
				onBytes,
				redirectHosts: options.redirectHosts,
				...resuming(options),
			},
		);
		await rename(part, path);
	}
	const bytes = await sizeOf(path);
	return { name, url, sha256: await sha256OfFile(path), bytes };
}

/** Only the entry's files are kept of the archive. */
async function fromArchive(
	entry: CatalogueEntry,
	archive: NonNullable<CatalogueEntry["archive"]>,
	folder: string,
	options: EntryFilesOptions,
): Promise<UnpinnedFile[]> {
	const url = urlOf(archive.url, options.location);
	const part = join(folder, "archive.part");
	const wanted = archive.sha256 ?? options.pins[archiveName];
	const covered = entry.files.every((it) => it.sha256 !== undefined);
	await fetchInto(
		part,
		url,
		{ bytesMax: archive.bytesMax, promisedBy: catalogue },
		{
			directory: folder,
			...counting(options),
			...(wanted === undefined &&
				!covered && { redirectHosts: options.redirectHosts }),
			...resuming(options),
		},
	);
	const unpacked = join(folder, "archive");
	try {
		const sha256 =
			wanted !== undefined || !covered ? await sha256OfFile(part) : "";
		if (wanted !== undefined && sha256 !== wanted)
			throw new PackageError(
				`${url} does not match ${archive.sha256 ? catalogue : earlier} (sha256 ${sha256.slice(0, 12)}..., expected ${wanted.slice(0, 12)}...): it was discarded`,
			);
		const bytes = await sizeOf(part);
		await rm(unpacked, { recursive: true, force: true });
		await mkdir(unpacked);
		await unpackArchive(part, unpacked, signalOf(options));
		await takeFiles(entry, url, unpacked, folder);
		return wanted === undefined && !covered
			? [{ name: archiveName, url, sha256, bytes }]
			: [];
	} catch (error) {
		if (error instanceof ArchiveFault)
			throw new PackageError(`${url}: ${error.message}; nothing was kept`);
		throw error;
	} finally {
		await rm(unpacked, { recursive: true, force: true });
		await rm(part, { force: true });
	}
}

async function takeFiles(
	{ files }: CatalogueEntry,
	url: string,
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
			throw new PackageError(`${url} contains no ${name}: nothing was kept`);
		if (second && sha256 === undefined)
			throw new PackageError(
				`${url} contains ${name} twice, in ${first.parentPath.slice(unpacked.length + 1)} and ${second.parentPath.slice(unpacked.length + 1)}: nothing was kept`,
			);
		const path = join(first.parentPath, name);
		const actual = sha256 && (await sha256OfFile(path));
		if (actual !== sha256)
			throw new PackageError(
				`${url}: ${name} does not match the catalogue (sha256 ${actual?.slice(0, 12)}..., expected ${sha256?.slice(0, 12)}...): nothing was kept`,
			);
		await rename(path, join(folder, name));
	}
}

function sized({ bytes }: CatalogueFile) {
	return bytes === undefined ? {} : { bytes };
}

function counting({ onBytes }: EntryFilesOptions) {
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

function signalOf({ signal }: EntryFilesOptions) {
	return signal ? { signal } : {};
}

/** How a download is resumed, without what is not set. */
export function resuming({
	signal,
	pauseMs,
	stallMsMax,
}: Pick<ResumeOptions, "signal" | "pauseMs" | "stallMsMax">) {
	return {
		...(signal && { signal }),
		...(pauseMs !== undefined && { pauseMs }),
		...(stallMsMax !== undefined && { stallMsMax }),
	};
}

function urlOf(url: string, location: string): string {
	try {
		const whole = /^https?:\/\//.test(location)
			? new URL(url, location)
			: new URL(url);
		if (whole.protocol === "https:" || whole.protocol === "http:")
			return whole.href;
	} catch {}
	throw new PackageError(
		`the catalogue names ${JSON.stringify(url.slice(0, 200))}, which is not a valid URL`,
	);
}
