/** Fetches a model by name: reads the catalogue, checks its signature, downloads every file, and installs them in the folder of models. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSmallFile } from "../../download/small-file.js";
import { type CatalogueEntry, downloadBytes } from "./catalogue-entry.js";
import { obtainFiles, resuming, type UnpinnedFile } from "./entry-files.js";
import { type InstallOptions, installFolder } from "./install.js";
import {
	loadPackage,
	type ModelPackage,
	PackageError,
} from "./model-package.js";
import { keepPins, pinsOf } from "./pins.js";
import {
	refuseExisting,
	refuseWithoutRoom,
	sweepLeftovers,
} from "./placing.js";
import { sizeOf } from "./resumed-fetch.js";
import {
	readCatalogue,
	refuseOlder,
	type SignedCatalogue,
} from "./signed-catalogue.js";

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
	/** Asked before anything is fetched, where the licence demands it. Absent: refused. */
	readonly agree?: (entry: CatalogueEntry) => Promise<boolean>;
	/** Asked once about all files that nobody published a checksum of. Absent: refused. */
	readonly accept?: (
		entry: CatalogueEntry,
		files: readonly UnpinnedFile[],
	) => Promise<boolean>;
	/** Makes a package of Whisper's weights; needed for entries with `convert`. */
	readonly convert?: (
		entry: CatalogueEntry,
		from: string,
		to: string,
	) => Promise<void>;
}

/** No catalogue has a model of this name. */
export class UnknownModelError extends PackageError {
	/** Names that the catalogues have. */
	readonly known: readonly string[];

	constructor(wanted: string, known: readonly string[]) {
		super(`no catalogue has ${wanted}: earshot models search lists the models`);
		this.known = known;
	}
}

const catalogueBytesMax = 8 * 1024 * 1024;

/** @throws PackageError */
async function openCatalogue(
	{ location, key }: CatalogueSource,
	directory: string,
): Promise<SignedCatalogue> {
	const text = await read(location);
	const signature = await read(`${location}.sig`);
	const catalogue = readCatalogue(text, signature.toString("utf8"), key);
	await refuseOlder(directory, catalogue);
	return catalogue;
}

/** Those of the configured catalogue, then earshot's own that it does not have. @throws PackageError */
export async function knownModels(
	source: CatalogueSource,
	directory: string,
): Promise<CatalogueEntry[]> {
	const own = source.own?.models ?? [];
	if (source.location === "") return [...own];
	const { models } = await openCatalogue(source, directory);
	const names = new Set(models.map((it) => it.name));
	return [...models, ...own.filter((it) => !names.has(it.name))];
}

/** @throws PackageError; files fetched so far are kept for the next call. */
export async function fetchModel(
	name: string,
	source: CatalogueSource,
	options: FetchOptions,
): Promise<ModelPackage> {
	const { directory, onBytes } = options;
	const found = await findEntry(name, source, directory);
	const { entry } = found;
	await mkdir(directory, { recursive: true });
	await sweepLeftovers(directory); // may give the name its package back
	await refuseExisting(join(directory, name), options.replace);
	if (entry.licensing?.mustAccept && !(await options.agree?.(entry)))
		throw new PackageError(
			`${name} was not added: its licence (${entry.licence}) was not accepted`,
		);
	const folder = join(directory, ".downloads", name);
	await refuseWithoutRoom(directory, await bytesNeeded(entry, folder));
	const unpinned = await obtainFiles(entry, folder, {
		location: found.location,
		pins: await pinsOf(directory, entry),
		redirectHosts: found.redirectHosts,
		...(onBytes && { onBytes }),
		...resuming(options),
	});
	if (unpinned.length > 0) await acceptFiles(entry, unpinned, folder, options);
	const opened = await install(entry, folder, options);
	await rm(folder, { recursive: true, force: true });
	return opened;
}

/** Still: for what is fetched, and again for the package that is made of it. */
async function bytesNeeded(
	entry: CatalogueEntry,
	folder: string,
): Promise<number> {
	const names = await readdir(folder).catch(() => []);
	let fetched = 0;
	for (const name of names) fetched += await sizeOf(join(folder, name));
	// an archive, or a model that is converted, is larger than its package
	const packageBytes = (entry.megabytes ?? 0) * 1e6;
	const fetchBytes = Math.max(downloadBytes(entry), packageBytes);
	return Math.max(0, fetchBytes - fetched) + packageBytes;
}

async function findEntry(
	name: string,
	source: CatalogueSource,
	directory: string,
) {
	const named = (it: CatalogueEntry) => it.name === name;
	const ofOwn = source.own?.models.find(named);
	const own = ofOwn && {
		entry: ofOwn,
		location: "",
		redirectHosts: source.own?.redirectHosts ?? [],
	};
	const ownNames = (source.own?.models ?? []).map((it) => it.name);
	if (source.location === "" && own) return own;
	if (source.location === "" && source.own)
		throw new UnknownModelError(name, ownNames);
	const { models, redirectHosts = [] } = await openCatalogue(source, directory);
	const entry = models.find(named);
	if (entry) return { entry, location: source.location, redirectHosts };
	if (own) return own;
	throw new UnknownModelError(name, [
		...models.map((it) => it.name),
		...ownNames,
	]);
}

async function acceptFiles(
	entry: CatalogueEntry,
	files: readonly UnpinnedFile[],
	folder: string,
	{ accept, directory }: FetchOptions,
): Promise<void> {
	if (!(await accept?.(entry, files))) {
		await rm(folder, { recursive: true, force: true });
		throw new PackageError(
			`${entry.name} was not added: nobody published a checksum of ${files.map((it) => it.name).join(", ")}, and what was fetched was not accepted`,
		);
	}
	const pins = files.map(({ name, sha256 }) => [name, sha256] as const);
	await keepPins(directory, entry, Object.fromEntries(pins));
}

async function install(
	entry: CatalogueEntry,
	folder: string,
	{ directory, replace = false, signal, convert }: FetchOptions,
): Promise<ModelPackage> {
	const { name, licensing } = entry;
	if (licensing?.attribution)
		await writeFile(join(folder, "NOTICE"), `${licensing.attribution}\n`);
	if (entry.convert) {
		if (!convert)
			throw new PackageError(`${name} has to be converted: earshot models add`);
		const to = join(directory, name);
		await convert(entry, folder, to);
		return loadPackage(to);
	}
	return installFolder(folder, {
		directory,
		name,
		licence: entry.licence,
		source: entry.source,
		replace,
		...(entry.edition && { edition: entry.edition }),
		...(entry.kind && { kind: entry.kind }),
		...(entry.languages && { languages: entry.languages }),
		...probeOf(entry, folder),
		...(signal && { signal }),
	});
}

function probeOf({ probe }: CatalogueEntry, folder: string) {
	if (!probe) return {};
	const { file, language, words } = probe;
	return { probe: { path: join(folder, file), language, words } };
}

async function read(location: string): Promise<Buffer> {
	if (location === "")
		throw new PackageError(
			"no catalogue is configured: set model.catalogue and model.catalogue_key, or name a folder",
		);
	try {
		return await readSmallFile(location, catalogueBytesMax);
	} catch (error) {
		throw new PackageError(
			`${location} can't be read: ${(error as Error).message}`,
		);
	}
}
