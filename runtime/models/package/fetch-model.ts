/** Fetches a model by name: reads the catalogue, checks its signature, downloads every file, and installs them in the folder of models. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { downloadFile, type WantedFile } from "./download.js";
import { type InstallOptions, installFolder } from "./install.js";
import { type ModelPackage, PackageError } from "./model-package.js";
import {
	type CatalogueEntry,
	type CatalogueFile,
	readCatalogue,
	refuseOlder,
	type SignedCatalogue,
} from "./signed-catalogue.js";

export interface CatalogueSource {
	/** A URL or a file path; the signature is at the same location with `.sig` appended. */
	readonly location: string;
	/** The signer's public key, base64. */
	readonly key: string;
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
	const { directory, signal, pauseMs, stallMsMax } = options;
	const catalogue = await openCatalogue(source, directory);
	const entry = catalogue.models.find((it) => it.name === name);
	if (!entry)
		throw new PackageError(
			`the catalogue has no ${name}; it has ${catalogue.models.map((it) => it.name).join(", ") || "nothing"}`,
		);
	const folder = join(directory, ".downloads", name);
	const total = entry.files.reduce((sum, { bytes }) => sum + bytes, 0);
	let done = 0;
	for (const file of entry.files)
		await downloadFile(promised(file), urlOf(file.url, source.location), {
			directory: folder,
			onBytes: (bytes) => {
				done += bytes;
				options.onBytes?.(done, total);
			},
			...(signal && { signal }),
			...(pauseMs !== undefined && { pauseMs }),
			...(stallMsMax !== undefined && { stallMsMax }),
		});
	const opened = await installFolder(folder, {
		directory,
		name,
		licence: entry.licence,
		source: entry.source,
		replace: options.replace ?? false,
		...(entry.languages && { languages: entry.languages }),
		...probeOf(entry, folder),
		...(signal && { signal }),
	});
	await rm(folder, { recursive: true, force: true });
	return opened;
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
