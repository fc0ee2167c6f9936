/**
 * Keeps commits of one process and openings of the database by another apart. When LMDB opens a file, it reads which transaction is the newest and publishes it
 * a moment later, without a lock: a transaction that another process commits in between is lost, although it was acknowledged (OpenLDAP ITS#9496; fixed there
 * in 2021, but not in the sources of lmdb 3.5.6: 48 of 19,551 commits were lost while another process opened the file 3,259 times).
 *
 * There are two locks, on existing files: the turn (the folder) and the commits (the database's file; LMDB's own locks are on another). An opener holds both
 * exclusively. A committer checks that the turn is free, which it is not as soon as a process wants to open, and shares the commits lock.
 *
 * INVARIANTS
 * - Commits begin in the order in which they were requested.
 * - A dead process holds no lock.
 */
import { closeSync, constants, openSync } from "node:fs";
import { dirname } from "node:path";
import { openForFolderOwner } from "../disk/folder-owner.js";
import { tryLockFile, unlockFile } from "./file-lock.js";
import { KeyedMutex } from "./keyed-mutex.js";
import { StoreError } from "./store-error.js";

/** Other processes open within milliseconds; a commit may wait for a slow disk. */
const commitWaitMs = 5_000;
const openWaitMs = 15_000;
const retryMs = 1;

export class CommitGate {
	readonly #path: string;
	readonly #turn: number;
	readonly #commits: number;
	/** Commits in progress; they share one lock. */
	#underWay = 0;
	/** Commits that wait until other processes have opened. */
	#waiting = 0;
	readonly #entering = new KeyedMutex();

	/** @param path of the database's file; created if missing, unless it is read-only. @throws Error of the file system */
	constructor(path: string, readOnly: boolean) {
		this.#path = path;
		this.#commits = readOnly
			? openSync(path, constants.O_RDONLY)
			: openForFolderOwner(path, constants.O_RDONLY, 0o600);
		try {
			this.#turn = openSync(dirname(path), constants.O_RDONLY);
		} catch (thrown) {
			closeSync(this.#commits);
			throw thrown;
		}
	}

	/** Runs `open` while no process commits. Blocks the whole process. @throws StoreError where the locks are not released in time */
	alone<T>(open: () => T): T {
		const limitMs = performance.now() + openWaitMs;
		this.#waitUntil(() => tryLockFile(this.#turn, "exclusive"), limitMs);
		try {
			this.#waitUntil(() => tryLockFile(this.#commits, "exclusive"), limitMs);
			try {
				return open();
			} finally {
				unlockFile(this.#commits);
			}
		} finally {
			unlockFile(this.#turn);
		}
	}

	/** Runs a commit that is complete when `write` returns. Blocks the whole process while others open. @throws StoreError where they do not finish */
	during<T>(write: () => T): T {
		const limitMs = performance.now() + commitWaitMs;
		this.#waitUntil(() => this.#tryEnter(), limitMs);
		try {
			return write();
		} finally {
			this.#leave();
		}
	}

	/** @throws StoreError where others that open do not finish; nothing was begun then */
	async commit<T>(write: () => Promise<T>): Promise<T> {
		if (this.#waiting > 0 || !this.#tryEnter()) await this.#entered();
		try {
			return await write();
		} finally {
			this.#leave();
		}
	}

	close(): void {
		closeSync(this.#turn);
		closeSync(this.#commits);
	}

	async #entered(): Promise<void> {
		this.#waiting++;
		try {
			await this.#entering.run("", async () => {
				const limitMs = performance.now() + commitWaitMs;
				while (!this.#tryEnter()) {
					if (performance.now() > limitMs) throw this.#held();
					await new Promise((resolve) => setTimeout(resolve, retryMs));
				}
			});
		} finally {
			this.#waiting--;
		}
	}

	/** Fails while a process waits to open, even if a commit is in progress: otherwise commits could follow each other without end. */
	#tryEnter(): boolean {
		if (!tryLockFile(this.#turn, "shared")) return false;
		try {
			if (this.#underWay === 0 && !tryLockFile(this.#commits, "shared"))
				return false;
			this.#underWay++;
			return true;
		} finally {
			unlockFile(this.#turn);
		}
	}

	#leave(): void {
		this.#underWay--;
		if (this.#underWay === 0) unlockFile(this.#commits);
	}

	#waitUntil(condition: () => boolean, limitMs: number): void {
		const neverSet = new Int32Array(new SharedArrayBuffer(4));
		while (!condition()) {
			if (performance.now() > limitMs) throw this.#held();
			Atomics.wait(neverSet, 0, 0, retryMs);
		}
	}

	#held(): StoreError {
		return new StoreError(
			"unavailable",
			`${this.#path} can't be locked: another program holds the lock, or the file system does not support locks; try again`,
		);
	}
}
