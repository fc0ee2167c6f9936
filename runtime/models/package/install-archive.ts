/**
 * Installs a model from an archive: it is unpacked beside the models under a hidden name, checked, and installed as a folder would be. Temporary files are
 * removed whether or not this succeeds.
 */
import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ArchiveFault } from "./archive/archive-entry.js";
import type { UnpackLimits } from "./archive/entry-rules.js";
import { unpackArchive } from "./archive/unpack.js";
import { type InstallOptions, installFolder } from "./install.js";
import {
	InstallRefusal,
	type ModelPackage,
	PackageError,
} from "./model-package.js";
import { asPackageError } from "./placing.js";
import { sha256OfFile } from "./verify.js";

export interface ArchiveOptions extends Omit<InstallOptions, "onBytes"> {
	/** Expected checksum of the archive. */
	readonly sha256?: string;
	/** Name of the archive, where its path does not have it. */
	readonly called?: string;
	readonly limits?: Partial<UnpackLimits>;
	readonly onBytes?: (bytes: number, total: number, step: InstallStep) => void;
}

export type InstallStep =
	| "fetching"
	| "checking"
	| "unpacking"
	| "adding"
	| "converting";

const ending = /\.(?:tar\.gz|tgz|tar\.bz2|tbz2?|zip)$/i;

/** @throws PackageError; nothing was changed in that case. */
export async function installArchive(
	path: string,
	options: ArchiveOptions,
): Promise<ModelPackage> {
	const { directory, sha256, signal, limits, onBytes, called, ...others } =
		options;
	const name = basename(called ?? path);
	if (sha256 !== undefined) await refuseOther(path, sha256, onBytes);
	await mkdir(directory, { recursive: true });
	const into = await mkdtemp(join(directory, ".unpacking-"));
	try {
		await unpackArchive(path, into, {
			...(signal && { signal }),
			...(limits && { limits }),
			...(onBytes && {
				onBytes: (bytes, total) => onBytes(bytes, total, "unpacking"),
			}),
		});
		const folder = await modelFolderIn(into);
		return await installFolder(folder, {
			...others,
			directory,
			ours: into,
			...(signal && { signal }),
			...(folder === into && { folderName: name.replace(ending, "") }),
			...(onBytes && {
				onBytes: (bytes, total) => onBytes(bytes, total, "adding"),
			}),
		});
	} catch (error) {
		if (error instanceof ArchiveFault)
			throw new PackageError(`${name}: ${error.message}; nothing was kept`);
		if (!(error instanceof PackageError))
			throw asPackageError(error, directory);
		const message = error.message.replaceAll(into, name);
		throw error instanceof InstallRefusal
			? new InstallRefusal(message)
			: new PackageError(message);
	} finally {
		await rm(into, { recursive: true, force: true });
	}
}

async function refuseOther(
	path: string,
	sha256: string,
	onBytes: ArchiveOptions["onBytes"],
): Promise<void> {
	const { size } = await lstat(path);
	let done = 0;
	const found = await sha256OfFile(path, (bytes) => {
		done += bytes;
		onBytes?.(done, size, "checking");
	});
	if (found !== sha256)
		throw new PackageError(
			`${path} does not match --sha256: its sha256 is ${found}`,
		);
}

/** The archive contains either the model's files, or one folder with all of them. */
async function modelFolderIn(into: string): Promise<string> {
	const entries = await readdir(into, { withFileTypes: true });
	if (entries.some((it) => it.isFile())) return into;
	const [first, ...others] = entries;
	if (!first) throw new ArchiveFault("it contains no files");
	if (others.length > 0)
		throw new ArchiveFault(
			`it contains several folders (${entries
				.slice(0, 5)
				.map((it) => it.name)
				.join(", ")}): add one model at a time`,
		);
	return join(into, first.name);
}
