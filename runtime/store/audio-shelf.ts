/**
 * Storage of audio: a folder of files with generated ids. A client's file name is never part of a path.
 *
 * INVARIANTS
 * - A file is named by its id only when it is complete and on the disk; until then it ends in ".part", and one left by a crash is removed at the next start.
 * - A committed file belongs to its draft until that is settled: no sweep removes it, though no row names it yet.
 * - Every byte counts against the quota from before it is written until its file is removed.
 */
import { randomBytes } from "node:crypto";
import {
	type FileHandle,
	mkdir,
	open,
	readdir,
	rename,
	rm,
	stat,
	unlink,
} from "node:fs/promises";
import { join } from "node:path";
import {
	type DiskLimits,
	DiskQuota,
	diskErrorOf,
	type MakeRoom,
} from "./disk-quota.js";

const idPattern = /^[A-Za-z0-9_-]{22}$/;
const partSuffix = ".part";

/** A file being written. */
export interface AudioDraft {
	readonly id: string;
	/** Written so far. */
	readonly bytes: number;
	/** Current path of the file; it changes with `commit`. */
	readonly path: string;
	/** Calls must not overlap. @throws CodedError 100004 when there is no space. */
	append(bytes: Uint8Array): Promise<void>;
	/** Resolves when the whole file is on the disk under its id. */
	commit(): Promise<void>;
	/** Marks the file as named by a row: it exists as long as the row. */
	settle(): void;
	/** Removes the file in any stage; does nothing after `settle`. */
	discard(): Promise<void>;
}

export class AudioShelf {
	readonly #folder: string;
	readonly #quota: DiskQuota;
	/** Ids of drafts that are not settled. */
	readonly #drafts = new Set<string>();

	/** For the one server of this folder. @param folder is created if missing; incomplete files of a crash are removed. */
	static async open(folder: string, limits: DiskLimits): Promise<AudioShelf> {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		let bytes = 0;
		for (const name of await readdir(folder)) {
			const path = join(folder, name);
			if (name.endsWith(partSuffix)) await rm(path, { force: true });
			else if (idPattern.test(name)) bytes += (await stat(path)).size;
		}
		return new AudioShelf(folder, new DiskQuota(limits, folder, bytes));
	}

	constructor(folder: string, quota: DiskQuota) {
		this.#folder = folder;
		this.#quota = quota;
	}

	/** @param makeRoom called before a write is refused. */
	onShort(makeRoom: MakeRoom): void {
		this.#quota.makeRoom = makeRoom;
	}

	/** Size of all files. */
	get bytes(): number {
		return this.#quota.bytes;
	}

	/** @param expectedBytes if known. @throws CodedError 100004 when there is no space. */
	async begin(expectedBytes = 0): Promise<AudioDraft> {
		await this.#quota.check(expectedBytes);
		const id = randomBytes(16).toString("base64url");
		this.#drafts.add(id);
		try {
			return await ShelfDraft.open(id, this.path(id), this.#quota, () =>
				this.#drafts.delete(id),
			);
		} catch (thrown) {
			this.#drafts.delete(id);
			throw diskErrorOf(thrown);
		}
	}

	/** @throws for an invalid id: ids come from rows. */
	path(id: string): string {
		if (!idPattern.test(id)) throw new Error("not an audio id");
		return join(this.#folder, id);
	}

	/** Bytes; undefined where there is no such file. */
	async size(id: string): Promise<number | undefined> {
		try {
			return (await stat(this.path(id))).size;
		} catch (thrown) {
			if (isMissing(thrown)) return undefined;
			throw thrown;
		}
	}

	/** Does nothing if the file does not exist. */
	async remove(id: string): Promise<void> {
		const bytes = await this.size(id);
		if (bytes === undefined) return;
		try {
			await unlink(this.path(id));
		} catch (thrown) {
			if (isMissing(thrown)) return; // of two concurrent removals, one gives the bytes back
			throw thrown;
		}
		this.#quota.give(bytes);
	}

	/** Complete files without a draft: those that no row names were left by a crash. */
	async ids(): Promise<string[]> {
		const names = await readdir(this.#folder);
		return names.filter((it) => idPattern.test(it) && !this.#drafts.has(it));
	}
}

type Stage = "writing" | "committed" | "settled" | "discarded";

class ShelfDraft implements AudioDraft {
	readonly id: string;
	readonly #path: string;
	readonly #file: FileHandle;
	readonly #quota: DiskQuota;
	readonly #onSettled: () => void;
	#bytes = 0;
	#stage: Stage = "writing";

	static async open(
		id: string,
		path: string,
		quota: DiskQuota,
		onSettled: () => void,
	): Promise<ShelfDraft> {
		const file = await open(`${path}${partSuffix}`, "wx", 0o600);
		return new ShelfDraft(id, path, file, quota, onSettled);
	}

	private constructor(
		id: string,
		path: string,
		file: FileHandle,
		quota: DiskQuota,
		onSettled: () => void,
	) {
		this.id = id;
		this.#path = path;
		this.#file = file;
		this.#quota = quota;
		this.#onSettled = onSettled;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get path(): string {
		return this.#stage === "writing"
			? `${this.#path}${partSuffix}`
			: this.#path;
	}

	async append(bytes: Uint8Array): Promise<void> {
		this.#require("writing");
		await this.#quota.take(bytes.byteLength);
		if (this.#stage !== "writing") this.#quota.give(bytes.byteLength); // discarded while room was made
		this.#require("writing");
		this.#bytes += bytes.byteLength;
		try {
			await this.#file.writeFile(bytes); // appends to the previous chunk
		} catch (thrown) {
			throw diskErrorOf(thrown);
		}
	}

	async commit(): Promise<void> {
		this.#require("writing");
		try {
			await this.#file.sync();
			await this.#file.close();
			await rename(this.path, this.#path);
			await syncFolder(join(this.#path, ".."));
		} catch (thrown) {
			throw diskErrorOf(thrown);
		}
		this.#stage = "committed";
	}

	settle(): void {
		this.#require("committed");
		this.#stage = "settled";
		this.#onSettled();
	}

	async discard(): Promise<void> {
		if (this.#stage === "settled" || this.#stage === "discarded") return;
		this.#stage = "discarded";
		await this.#file.close().catch(() => {}); // closed already, by commit
		// a commit that failed half way may have renamed it
		await rm(`${this.#path}${partSuffix}`, { force: true });
		await rm(this.#path, { force: true });
		this.#quota.give(this.#bytes);
		this.#onSettled();
	}

	#require(stage: Stage): void {
		if (this.#stage !== stage)
			throw new Error(`an audio draft is ${this.#stage}, not ${stage}`);
	}
}

function isMissing(thrown: unknown): boolean {
	return (thrown as NodeJS.ErrnoException).code === "ENOENT";
}

/** After a power cut a new name only exists if its folder was synced as well. */
async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
