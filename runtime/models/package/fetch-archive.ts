/**
 * Fetches an archived model from a URL outside the catalogue: the operator states its checksum. An interrupted download is resumed, now or by the next call;
 * so is one that arrived whole and could not be installed yet. A rejected one is not kept.
 */
import { rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exists } from "../../disk/whole-file.js";
import { findPackages } from "./catalogue.js";
import { downloadFile } from "./download.js";
import { type ArchiveOptions, installArchive } from "./install-archive.js";
import {
	InstallRefusal,
	type ModelPackage,
	PackageError,
} from "./model-package.js";
import { nothingKept, refuseExisting } from "./placing.js";
import { keptPart, type ResumeOptions } from "./resumed-fetch.js";

export interface FetchArchiveOptions
	extends Omit<ArchiveOptions, "sha256" | "called">,
		Pick<ResumeOptions, "pauseMs" | "stallMsMax"> {
	readonly sha256: string;
}

const fileName = "archive";
const sha256Pattern = /^[0-9a-f]{64}$/;

/** @param address http or https. @throws PackageError */
export async function fetchArchive(
	address: string,
	options: FetchArchiveOptions,
): Promise<ModelPackage> {
	const { sha256, pauseMs, stallMsMax, ...others } = options;
	const url = urlOf(address);
	if (!sha256Pattern.test(sha256))
		throw new PackageError("--sha256 must be 64 hexadecimal digits");
	const folder = join(options.directory, ".downloads", sha256);
	// the query string may contain a secret
	const source = `${url.origin}${url.pathname}`;
	await refuseInstalled(source, options);
	try {
		await download(url, folder, options);
		try {
			const opened = await installArchive(join(folder, fileName), {
				source,
				...others,
				called: basename(url.pathname),
			});
			await rm(folder, { recursive: true, force: true });
			return opened;
		} catch (error) {
			if (!(error instanceof InstallRefusal))
				await rm(folder, { recursive: true, force: true });
			throw kept(error);
		}
	} finally {
		// fails, as it should, if a folder contains a download to resume
		await rmdir(folder).catch(() => {});
		await rmdir(dirname(folder)).catch(() => {});
	}
}

/** Before anything is fetched, as far as the name is known by then. @throws PackageError */
async function refuseInstalled(
	source: string,
	{ directory, name, replace = false }: FetchArchiveOptions,
): Promise<void> {
	if (replace) return;
	if (name !== undefined) return refuseExisting(join(directory, name));
	if (!(await exists(directory))) return;
	const { packages } = await findPackages(directory);
	const found = packages.find(({ manifest }) => manifest.source === source);
	if (found) await refuseExisting(found.folder);
}

function kept(error: unknown): unknown {
	if (!(error instanceof InstallRefusal)) return error;
	const { message } = error;
	return new InstallRefusal(message.replace(nothingKept, keptPart));
}

function download(
	url: URL,
	folder: string,
	options: FetchArchiveOptions,
): Promise<void> {
	const { sha256, signal, onBytes, pauseMs, stallMsMax } = options;
	let done = 0;
	let total = 0;
	return downloadFile(
		{ name: fileName, sha256, promisedBy: "--sha256" },
		url.href,
		{
			directory: folder,
			onTotal: (bytes) => {
				total = bytes;
			},
			onBytes: (bytes) => {
				done += bytes;
				if (total > 0) onBytes?.(done, total, "fetching");
			},
			...(signal && { signal }),
			...(pauseMs !== undefined && { pauseMs }),
			...(stallMsMax !== undefined && { stallMsMax }),
		},
	);
}

function urlOf(address: string): URL {
	let url: URL;
	try {
		url = new URL(address);
	} catch {
		throw new PackageError(`${JSON.stringify(address)} is not a valid URL`);
	}
	if (url.username !== "" || url.password !== "")
		throw new PackageError(
			"a URL with a user name or a password is not accepted",
		);
	return url;
}
