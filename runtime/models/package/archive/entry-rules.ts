/**
 * Which entries of an archive may be written, by name and size: files below the folder it is unpacked into, each once, with limits on their number and
 * total size. Pure: the rules are applied before anything is written.
 */
import { type ArchiveEntry, ArchiveFault } from "./archive-entry.js";

export interface UnpackLimits {
	readonly entriesMax: number;
	/** Total size of all files. */
	readonly bytesMax: number;
	/** Unpacked bytes up to which the compression ratio is not limited. */
	readonly growthFreeBytes: number;
}

const nameLengthMax = 500;
const depthMax = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const unfit = /[\u0000-\u001f\u007f\\]/;

export class EntryRules {
	readonly #limits: Omit<UnpackLimits, "growthFreeBytes">;
	/** Paths of files, and of all their folders. */
	readonly #files = new Set<string>();
	readonly #folders = new Set<string>();
	#entries = 0;
	#bytes = 0;

	constructor(limits: Omit<UnpackLimits, "growthFreeBytes">) {
		this.#limits = limits;
	}

	/** @returns the file's path as a list of names; empty where there is nothing to write. @throws ArchiveFault */
	place({ name, kind, what, bytes }: ArchiveEntry): readonly string[] {
		const shown = JSON.stringify(name.slice(0, 80));
		this.#entries++;
		if (this.#entries > this.#limits.entriesMax)
			throw new ArchiveFault(
				`it has more than ${this.#limits.entriesMax} entries`,
			);
		if (kind === "other")
			throw new ArchiveFault(
				`${shown} is ${what}: a model consists of plain files`,
			);
		const parts = partsOf(name, shown);
		if (kind === "folder") {
			this.#enter(parts, parts.length, shown);
			return [];
		}
		if (parts.length === 0)
			throw new ArchiveFault(`${shown} is not a valid file name`);
		this.#enter(parts, parts.length - 1, shown);
		const path = parts.join("/");
		if (this.#files.has(path) || this.#folders.has(path))
			throw new ArchiveFault(`${shown} occurs twice`);
		this.#files.add(path);
		this.#take(bytes, shown);
		// hidden files are left over from a file manager
		return parts.some((it) => it.startsWith(".")) ? [] : parts;
	}

	#enter(parts: readonly string[], depth: number, shown: string): void {
		for (let i = 1; i <= depth; i++) {
			const folder = parts.slice(0, i).join("/");
			if (this.#files.has(folder))
				throw new ArchiveFault(`${shown} has a file as its parent folder`);
			this.#folders.add(folder);
		}
	}

	#take(bytes: number, shown: string): void {
		if (!Number.isSafeInteger(bytes) || bytes < 0)
			throw new ArchiveFault(`${shown} has no size`);
		this.#bytes += bytes;
		if (this.#bytes > this.#limits.bytesMax)
			throw new ArchiveFault(
				`its files are larger than ${gigabytes(this.#limits.bytesMax)} in total`,
			);
	}
}

function partsOf(name: string, shown: string): string[] {
	if (name.length > nameLengthMax)
		throw new ArchiveFault(`the name ${shown}... is too long`);
	if (name.startsWith("/"))
		throw new ArchiveFault(`${shown} is an absolute path`);
	if (unfit.test(name))
		throw new ArchiveFault(`${shown} is not a valid file name`);
	const parts = name.split("/").filter((it) => it !== "" && it !== ".");
	if (parts.includes(".."))
		throw new ArchiveFault(`${shown} is outside the archive's folder`);
	if (parts.length > depthMax)
		throw new ArchiveFault(`${shown} is nested too deeply`);
	return parts;
}

function gigabytes(bytes: number): string {
	return `${(bytes / 1e9).toFixed(1)} GB`;
}
