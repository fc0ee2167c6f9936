/**
 * The database: named tables of JSON rows in one LMDB file that several processes (server, command line) may open at once. The only file that uses lmdb.
 *
 * INVARIANTS
 * - A write's promise resolves only when the row is on the disk: default sync settings, never noSync.
 * - A rejected write may or may not have been written: a caller that needs to know must read again.
 * - No commit is lost because another process opens the file meanwhile (commit-gate.ts).
 * - No commit is awaited without limit: past the deadline the database is stuck, and only a new process helps.
 * - No commit begins on a full disk: where a write fails, lmdb 3.5.6 writes its reason past the end of a buffer, which ends the process in one of two cases.
 * - lmdb's `transaction()` with a callback is not used: with lmdb 3.5.6 on Node 20 its promise never settles. Writes of one event turn are one transaction.
 */
import { closeSync } from "node:fs";
import { resolve } from "node:path";
import { IF_EXISTS, open, type RootDatabase } from "lmdb";
import { makeForFolderOwner } from "../disk/folder-owner.js";
import { CommitGate } from "./commit-gate.js";
import { commitRoomFault } from "./disk-room.js";
import { attempt, explain, swallowStrayRejections } from "./lmdb-errors.js";
import { codecOf } from "./row-codec.js";
import { isDamage, StoreError } from "./store-error.js";
import type { KeyRange, Table, Write } from "./table.js";
import { pageBytesOf, type TableStats } from "./table-stats.js";

export type { KeyedRow, Table, Write } from "./table.js";

const commitDeadlineMs = 10_000;
const tablesMax = 64;

const openPaths = new Set<string>();

export interface DatabaseOptions {
	readonly commitDeadlineMs?: number;
	/** Called once when a commit has passed its deadline: the process should exit and be restarted. */
	readonly onStuck?: (error: StoreError) => void;
	/** Of the file system that a folder is on; default: asks it. */
	readonly freeBytes?: (folder: string) => number;
	/** Called whenever a row can't be read: it differs from what was written. */
	readonly onDamage?: () => void;
}

export class Database {
	readonly #root: RootDatabase;
	readonly #gate: CommitGate;
	readonly #path: string;
	readonly #options: DatabaseOptions;
	#stuck: StoreError | undefined;
	/** Commits that are not settled yet. */
	readonly #underWay = new Set<Promise<unknown>>();
	/** The last commit failed. */
	#failed = false;
	#closed = false;

	/** @param path of the file; created with mode 0600. @throws StoreError */
	static open(file: string, options: DatabaseOptions = {}): Database {
		const path = resolve(file);
		if (openPaths.has(path))
			throw new Error(`${path} is open in this process already`); // two environments in one process corrupt each other's locks
		swallowStrayRejections();
		const { root, gate } = attempt(path, () =>
			openFile(path, { readOnly: false }),
		);
		openPaths.add(path);
		return new Database(root, gate, path, options);
	}

	private constructor(
		root: RootDatabase,
		gate: CommitGate,
		path: string,
		options: DatabaseOptions,
	) {
		this.#root = root;
		this.#gate = gate;
		this.#path = path;
		this.#options = options;
	}

	/** Path of its file. */
	get path(): string {
		return this.#path;
	}

	/** The error of a commit that was never confirmed, if any. */
	get stuck(): StoreError | undefined {
		return this.#stuck;
	}

	/** Why nothing can be written now: the disk is full. */
	get full(): StoreError | undefined {
		return commitRoomFault(this.#path, this.#options.freeBytes);
	}

	/** @param codec for rows in another format than the usual JSON. */
	table<V>(name: string, { encode, decode } = codecOf(name)): Table<V> {
		// opening a new table is a commit
		const rows = attempt(this.#path, () =>
			this.#gate.during(() =>
				this.#root.openDB<Buffer, string>({ name, encoding: "binary" }),
			),
		);
		const read = (bytes: Buffer) => this.#reading(() => decode(bytes) as V);
		// a read transaction may be older than another process's last commit: begin a new one for each read
		const fresh = () => {
			// lmdb would read from a file that is no longer open
			if (this.#closed) throw new Error("the database is closed");
			this.#root.resetReadTxn();
		};
		// lmdb calls this within its own work: everything that can fail is done before
		const writing = (key: string, value: V) => {
			const bytes = encode(value);
			return () => void rows.put(key, bytes);
		};
		const overwrite = (key: string, value: V) =>
			rows.ifVersion(key, IF_EXISTS, writing(key, value));
		return {
			get: (key) => {
				fresh();
				const bytes = rows.get(key);
				return bytes && read(bytes);
			},
			put: async (key, value) => {
				await this.#commit(() => rows.put(key, encode(value)));
			},
			putNew: (key, value) =>
				this.#commit(() => rows.ifNoExists(key, writing(key, value))),
			putOver: (key, value) => this.#commit(() => overwrite(key, value)),
			remove: async (key) => {
				await this.#commit(() => rows.remove(key));
			},
			putting: (key, value) => () => rows.put(key, encode(value)),
			puttingOver: (key, value) => () => overwrite(key, value),
			removing: (key) => () => rows.remove(key),
			rows: () => {
				fresh();
				return rows
					.getRange()
					.map(({ key, value }) => ({ key, value: read(value) }));
			},
			slice: (range, limit) => {
				fresh();
				return [...rows.getRange({ ...boundsOf(range), limit })].map(
					({ key, value }) => ({ key, value: read(value) }),
				);
			},
			keys: (range, limit) => {
				fresh();
				return [...rows.getKeys({ ...boundsOf(range), limit })];
			},
			count: (range) => {
				fresh();
				return rows.getKeysCount(boundsOf(range)); // 50 ns a row
			},
			bytesOf: (key) => {
				fresh();
				return rows.get(key)?.length ?? 0;
			},
			get bytes() {
				fresh();
				return pageBytesOf(rows.getStats() as TableStats);
			},
			isEmpty: () => {
				fresh();
				return [...rows.getKeys({ limit: 1 })].length === 0;
			},
		};
	}

	/** Applies all writes or none, in one transaction. @throws StoreError */
	async together(writes: readonly Write[]): Promise<void> {
		// all begun within one turn of the event loop
		await this.#commit(() => Promise.all(writes.map((write) => write())));
	}

	/** Writes a consistent copy without stopping writes. @param path of a file that does not exist yet. */
	async backup(path: string): Promise<void> {
		try {
			await this.#root.backup(path, false);
		} catch (cause) {
			throw await explain(cause, this.#path);
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		await Promise.allSettled(this.#underWay);
		const closing = this.#root.close().then(() => openPaths.delete(this.#path));
		// after a failed commit lmdb waits for one that succeeds, and none follows
		if (!this.#failed) await closing;
		this.#gate.close();
	}

	async #commit<T>(write: () => Promise<T>): Promise<T> {
		if (this.#stuck) throw this.#stuck;
		if (this.#closed)
			throw new StoreError("unavailable", `${this.#path} is closed`);
		const { full } = this;
		if (full) throw full;
		let timer: NodeJS.Timeout | undefined;
		const deadline = new Promise<never>((_, reject) => {
			timer = setTimeout(
				() => reject(this.#becomeStuck()),
				this.#options.commitDeadlineMs ?? commitDeadlineMs,
			);
		});
		const settled = Promise.race([this.#gate.commit(write), deadline]);
		this.#underWay.add(settled);
		try {
			const result = await settled;
			this.#failed = false;
			return result;
		} catch (cause) {
			this.#failed = true;
			throw await explain(cause, this.#path);
		} finally {
			clearTimeout(timer);
			this.#underWay.delete(settled);
		}
	}

	#reading<T>(read: () => T): T {
		try {
			return attempt(this.#path, read);
		} catch (thrown) {
			if (isDamage(thrown)) this.#options.onDamage?.();
			throw thrown;
		}
	}

	#becomeStuck(): StoreError {
		this.#stuck = new StoreError(
			"stuck",
			`a write to ${this.#path} was not confirmed in time; restart the program`,
		);
		this.#options.onStuck?.(this.#stuck);
		return this.#stuck;
	}
}

/** Opens the file for a process that only reads it. @param inPart disables read-ahead: pages beside the requested ones are not read */
export function openToRead(path: string, inPart: boolean): RootDatabase {
	return openFile(path, { readOnly: true, noReadAhead: inPart }).root;
}

function openFile(
	path: string,
	how: { readonly readOnly: boolean; readonly noReadAhead?: boolean },
) {
	const options = {
		...how, // noReadAhead is missing in lmdb's types
		path,
		noSubdir: true,
		maxDbs: tablesMax,
		permissionsMode: 0o600, // missing as well
	};
	const gate = new CommitGate(path, how.readOnly);
	try {
		const root: RootDatabase = gate.alone(() => {
			makeLockFile(path);
			return open(options);
		});
		return { root, gate };
	} catch (thrown) {
		gate.close();
		throw thrown;
	}
}

/** lmdb would create it with the current user as owner, whatever the owner of the folder. */
function makeLockFile(path: string): void {
	try {
		closeSync(makeForFolderOwner(`${path}-lock`, 0o600));
	} catch {} // it usually exists; other errors are reported by lmdb
}

function boundsOf({ from, after, before }: KeyRange) {
	const start = after ?? from;
	return {
		...(start !== undefined && { start }),
		...(after !== undefined && { exclusiveStart: true }),
		...(before !== undefined && { end: before }),
	};
}
