/**
 * What of an archive may be written, by its name and its size: files in folders below the one it is unpacked into, each once, not too many and not too large
 * together. Pure: nothing is touched here, so all of it holds before anything is.
 */
import { type ArchiveEntry, ArchiveFault } from "./archive-entry.js";

export interface UnpackLimits {
	readonly entriesMax: number;
	/** Of all files together. */
	readonly bytesMax: number;
	/** So much may come of little. */
	readonly growthFreeBytes: number;
}

const nameLengthMax = 500;
const depthMax = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unfit = /[\u0000-\u001f\u007f\\]/;

export class EntryRules {
	readonly #limits: Omit<UnpackLimits, "growthFreeBytes">;
	/** Paths of files, and of all the folders that they need. */
	readonly #files = new Set<string>();
	readonly #folders = new Set<string>();
	#entries = 0;
	#bytes = 0;

	constructor(limits: Omit<UnpackLimits, "growthFreeBytes">) {
		this.#limits = limits;
	}

	/** @returns where the file belongs, folder by folder; nothing where there is nothing to write. @throws ArchiveFault */
	place({ name, kind, what, bytes }: ArchiveEntry): readonly string[] {
		const shown = JSON.stringify(name.slice(0, 80));
		this.#entries++;
		if (this.#entries > this.#limits.entriesMax)
			throw new ArchiveFault(
				`there are more than ${this.#limits.entriesMax} entries in it`,
			);
		if (kind === "other")
			throw new ArchiveFault(
				`${shown} is ${what}: a model is made of plain files`,
			);
		const parts = partsOf(name, shown);
		if (kind === "folder") {
			this.#enter(parts, parts.length, shown);
			return [];
		}
		if (parts.length === 0)
			throw new ArchiveFault(`${shown} is no name of a file`);
		this.#enter(parts, parts.length - 1, shown);
		const path = parts.join("/");
		if (this.#files.has(path) || this.#folders.has(path))
			throw new ArchiveFault(`${shown} is in it twice`);
		this.#files.add(path);
		this.#take(bytes, shown);
		// what a file manager left there
		return parts.some((it) => it.startsWith(".")) ? [] : parts;
	}

	#enter(parts: readonly string[], depth: number, shown: string): void {
		for (let i = 1; i <= depth; i++) {
			const folder = parts.slice(0, i).join("/");
			if (this.#files.has(folder))
				throw new ArchiveFault(`${shown} lies in a file`);
			this.#folders.add(folder);
		}
	}

	#take(bytes: number, shown: string): void {
		if (!Number.isSafeInteger(bytes) || bytes < 0)
			throw new ArchiveFault(`${shown} has no size`);
		this.#bytes += bytes;
		if (this.#bytes > this.#limits.bytesMax)
			throw new ArchiveFault(
				`its files are larger than ${gigabytes(this.#limits.bytesMax)} together`,
			);
	}
}

function partsOf(name: string, shown: string): string[] {
	if (name.length > nameLengthMax)
		throw new ArchiveFault(`${shown}... is too long for a name`);
	if (name.startsWith("/"))
		throw new ArchiveFault(`${shown} does not lie in the archive's own folder`);
	if (unfit.test(name)) throw new ArchiveFault(`${shown} is no name of a file`);
	const parts = name.split("/").filter((it) => it !== "" && it !== ".");
	if (parts.includes(".."))
		throw new ArchiveFault(`${shown} climbs out of the archive's own folder`);
	if (parts.length > depthMax)
		throw new ArchiveFault(`${shown} lies too deep in folders`);
	return parts;
}

function gigabytes(bytes: number): string {
	return `${(bytes / 1e9).toFixed(1)} GB`;
}
