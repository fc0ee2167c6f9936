/** Fetches a model by name: reads the catalogue, checks its signature, downloads every file, and installs them in the folder of models. */
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveFault } from "./archive/archive-entry.js";
import { unpackArchive } from "./archive/unpack.js";
import { downloadFile, type WantedFile } from "./download.js";
import { type InstallOptions, installFolder } from "./install.js";
import { type ModelPackage, PackageError } from "./model-package.js";
import { fetchInto } from "./resumed-fetch.js";
import {
	type CatalogueEntry,
	type CatalogueFile,
	readCatalogue,
	refuseOlder,
	type SignedCatalogue,
} from "./signed-catalogue.js";
import { sha256OfFile } from "./verify.js";

export interface CatalogueSource {
	/** A URL or a file path; the signature is at the same location with `.sig` appended. */
	readonly location: string;
	/** The signer's public key, base64. */
	readonly key: string;
	/** Models that are known without this catalogue; its own go before them. */
	readonly own?: SignedCatalogue;
}

export interface FetchOptions
	extends Pick<InstallOptions, "directory" | "replace" | "onBytes" | "signal"> {
	readonly pauseMs?: number;
	readonly stallMsMax?: number;
}

const catalogueBytesMax = 8 * 1024 * 1024;
const catalogueMsMax = 30_000;

/** @throws PackageError */
export async function openCatalogue(
	{ location, key }: CatalogueSource,
	directory: string,
): Promise<SignedCatalogue> {
	const text = await read(location);
	const signature = await read(`${location}.sig`);
	const catalogue = readCatalogue(text, signature.toString("utf8"), key);
	await refuseOlder(directory, catalogue);
	return catalogue;
}

/** @throws PackageError; files fetched so far are kept for the next call. */
export async function fetchModel(
	name: string,
	source: CatalogueSource,
	options: FetchOptions,
): Promise<ModelPackage> {
	const { directory, signal } = options;
	const { entry, location } = await findEntry(name, source, directory);
	const folder = join(directory, ".downloads", name);
	if (entry.archive) await fetchArchived(entry, location, folder, options);
	else await fetchFiles(entry, location, folder, options);
	const opened = await installFolder(folder, {
		directory,
		name,
		licence: entry.licence,
		source: entry.source,
		replace: options.replace ?? false,
		...(entry.kind && { kind: entry.kind }),
		...(entry.languages && { languages: entry.languages }),
		...probeOf(entry, folder),
		...(signal && { signal }),
	});
	await rm(folder, { recursive: true, force: true });
	return opened;
}

async function findEntry(
	name: string,
	source: CatalogueSource,
	directory: string,
) {
	const named = (it: CatalogueEntry) => it.name === name;
	const own = source.own?.models ?? [];
	const known = own.find(named);
	if (source.location === "" && known) return { entry: known, location: "" };
	const { models } = await openCatalogue(source, directory);
	const entry = models.find(named);
	if (entry) return { entry, location: source.location };
	if (known) return { entry: known, location: "" };
	throw new PackageError(
		`the catalogue has no ${name}; it has ${models.map((it) => it.name).join(", ") || "nothing"}`,
	);
}

async function fetchFiles(
	{ files }: CatalogueEntry,
	location: string,
	folder: string,
	{ signal, pauseMs, stallMsMax, onBytes }: FetchOptions,
): Promise<void> {
	const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
	let done = 0;
	for (const file of files)
		await downloadFile(promised(file), urlOf(file.url ?? "", location), {
			directory: folder,
			onBytes: (bytes) => {
				done += bytes;
				onBytes?.(done, total);
			},
			...(signal && { signal }),
			...(pauseMs !== undefined && { pauseMs }),
			...(stallMsMax !== undefined && { stallMsMax }),
		});
}

/** Only the entry's files are kept of the archive. */
async function fetchArchived(
	entry: CatalogueEntry,
	location: string,
	folder: string,
	{ signal, pauseMs, stallMsMax, onBytes }: FetchOptions,
): Promise<void> {
	const { url, bytesMax } = entry.archive ?? { url: "", bytesMax: 0 };
	const part = join(folder, "archive.part");
	const unpacked = join(folder, "archive");
	await mkdir(folder, { recursive: true });
	let done = 0;
	let total = 0;
	await fetchInto(
		part,
		urlOf(url, location),
		{ bytesMax, promisedBy: "the catalogue" },
		{
			directory: folder,
			onTotal: (bytes) => {
				total = bytes;
			},
			onBytes: (bytes) => {
				done += bytes;
				if (total > 0) onBytes?.(done, total);
			},
			...(signal && { signal }),
			...(pauseMs !== undefined && { pauseMs }),
			...(stallMsMax !== undefined && { stallMsMax }),
		},
	);
	try {
		await rm(unpacked, { recursive: true, force: true });
		await mkdir(unpacked);
		await unpackArchive(part, unpacked, { ...(signal && { signal }) });
		await takeFiles(entry, url, unpacked, folder);
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
		const found = entries.find((it) => it.isFile() && it.name === name);
		if (!found)
			throw new PackageError(`${url} contains no ${name}: nothing was kept`);
		const path = join(found.parentPath, name);
		const actual = await sha256OfFile(path);
		if (actual !== sha256)
			throw new PackageError(
				`${url}: ${name} does not match the catalogue (sha256 ${actual.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...): nothing was kept`,
			);
		await rename(path, join(folder, name));
	}
}

function promised({ name, sha256, bytes }: CatalogueFile): WantedFile {
	return { name, sha256, bytes, promisedBy: "the catalogue" };
}

function probeOf({ probe }: CatalogueEntry, folder: string) {
	if (!probe) return {};
	const { file, language, words } = probe;
	return { probe: { path: join(folder, file), language, words } };
}

function urlOf(url: string, catalogue: string): string {
	try {
		const whole = isUrl(catalogue) ? new URL(url, catalogue) : new URL(url);
		if (whole.protocol === "https:" || whole.protocol === "http:")
			return whole.href;
	} catch {}
	throw new PackageError(
		`the catalogue names ${JSON.stringify(url.slice(0, 200))}, which is not a valid URL`,
	);
}

function isUrl(location: string): boolean {
	return /^https?:\/\//.test(location);
}

async function read(location: string): Promise<Buffer> {
	if (location === "")
		throw new PackageError(
			"no catalogue is configured: set model.catalogue and model.catalogue_key, or name a folder",
		);
	try {
		if (!isUrl(location)) return await readFile(location);
		const response = await fetch(location, {
			signal: AbortSignal.timeout(catalogueMsMax),
		});
		if (!response.ok) throw new Error(`the server returned ${response.status}`);
		const chunks: Uint8Array[] = [];
		let bytes = 0;
		for await (const chunk of response.body ?? []) {
			bytes += chunk.length;
			if (bytes > catalogueBytesMax) throw new Error("it is too large");
			chunks.push(chunk);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		const { message, cause } = error as Error & { cause?: Error };
		throw new PackageError(
			`${location} can't be read: ${cause?.message ?? message}`,
		);
	}
}
