/**
 * Where audio is kept: a folder of files under ids of our own making. What a client calls its file is never part of a path.
 *
 * INVARIANTS
 * - A file has its id's name only when it is whole and on the disk; until then it ends in ".part", and one that a crash left behind is gone after the next start.
 * - A committed file belongs to its draft until that is settled: no sweep takes it, though no row names it yet.
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

/** A file that is being written. */
export interface AudioDraft {
	readonly id: string;
	/** Written so far. */
	readonly bytes: number;
	/** Of the file as it is now; another one after `commit`. */
	readonly path: string;
	/** One after the other. @throws CodedError 100004 when there is no room for it. */
	append(bytes: Uint8Array): Promise<void>;
	/** Resolves when the whole file is on the disk, to be found under its id. */
	commit(): Promise<void>;
	/** A row names it now: it lives as long as that does. */
	settle(): void;
	/** Away with it, however far it came; nothing after `settle`. */
	discard(): Promise<void>;
}

export class AudioShelf {
	readonly #folder: string;
	readonly #quota: DiskQuota;
	/** Ids of drafts that are not settled. */
	readonly #drafts = new Set<string>();

	/** By the one server of this folder. @param folder is made; what a crash left half written is removed. */
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

	/** @param makeRoom asked before anybody is refused. */
	onShort(makeRoom: MakeRoom): void {
		this.#quota.makeRoom = makeRoom;
	}

	/** What all files take. */
	get bytes(): number {
		return this.#quota.bytes;
	}

	/** @param expectedBytes where somebody knows. @throws CodedError 100004 when there is no room. */
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

	/** @throws for what is no id: whoever asks took it from a row. */
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

	/** Nothing where it is gone already. */
	async remove(id: string): Promise<void> {
		const bytes = await this.size(id);
		if (bytes === undefined) return;
		try {
			await unlink(this.path(id));
		} catch (thrown) {
			if (isMissing(thrown)) return; // of two that remove it, one gives its bytes back
			throw thrown;
		}
		this.#quota.give(bytes);
	}

	/** Every whole file that no draft owns: those of them that no row names are left over from a crash. */
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
		this.#bytes += bytes.byteLength;
		try {
			await this.#file.writeFile(bytes); // goes on where the last one ended
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

/** A new name is only there after a power cut when its folder was written, too. */
async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
