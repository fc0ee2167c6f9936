/**
 * Brings the files of a catalogue's entry into a folder: each from its own address, or all out of one archive. What has a checksum is compared with it; what
 * has none is reported, and not used before somebody accepted it.
 */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueEntry, CatalogueFile } from "./catalogue-entry.js";
import { downloadFile } from "./download.js";
import { takeFromArchive } from "./entry-archive.js";
import { PackageError } from "./model-package.js";
import { removePart } from "./part-edition.js";
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

type Archive = NonNullable<CatalogueEntry["archive"]>;

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
		onBytes(await sizeOf(part));
		await fetchInto(
			part,
			url,
			{ ...sized(file), bytesMax, promisedBy: catalogue },
			{
				directory: folder,
				onBytes,
				unchecked: { redirectHosts: options.redirectHosts },
				...resuming(options),
			},
		);
		await rename(part, path);
		await removePart(part);
	}
	const bytes = await sizeOf(path);
	return { name, url, sha256: await sha256OfFile(path), bytes };
}

async function fromArchive(
	{ files }: CatalogueEntry,
	{ url: address, sha256: stated, bytesMax }: Archive,
	folder: string,
	options: EntryFilesOptions,
): Promise<UnpinnedFile[]> {
	const url = urlOf(address, options.location);
	const sha256 = stated ?? options.pins[archiveName];
	const isChecked =
		sha256 !== undefined || files.every((it) => it.sha256 !== undefined);
	const { redirectHosts, onBytes } = options;
	const found = await takeFromArchive(
		{
			url,
			bytesMax,
			files,
			...(sha256 !== undefined && { sha256 }),
			promisedBy: stated === undefined ? earlier : catalogue,
		},
		folder,
		{
			...(!isChecked && { unchecked: { redirectHosts } }),
			...(onBytes && { onBytes }),
			...resuming(options),
		},
	);
	return isChecked ? [] : [{ name: archiveName, url, ...found }];
}

function sized({ bytes }: CatalogueFile) {
	return bytes === undefined ? {} : { bytes };
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
