/**
 * Keeps the commits of one process and the openings of the database by another apart. LMDB's open reads which transaction is the newest, and a moment later
 * tells everybody so, without a lock: a transaction that another process has committed in between is lost, although it was acknowledged (OpenLDAP ITS#9496;
 * repaired there in 2021, not in the sources of lmdb 3.5.6: 48 of 19,551 commits were lost while another process opened the file 3,259 times).
 *
 * Two locks, on files that are there anyway: the turn (the folder) and the commits (the database's file; LMDB's own locks are on another). Who opens holds
 * both alone. Who commits looks whether the turn is free, which it isn't as soon as somebody wants to open, and shares the commits.
 *
 * INVARIANTS
 * - Commits begin in the order in which they were asked for.
 * - Who dies holds nothing.
 */
import { closeSync, constants, openSync } from "node:fs";
import { dirname } from "node:path";
import { openForFolderOwner } from "../disk/folder-owner.js";
import { tryLockFile, unlockFile } from "./file-lock.js";
import { KeyedMutex } from "./keyed-mutex.js";
import { StoreError } from "./store-error.js";

/** Others open within milliseconds; a commit may wait for a slow disk. */
const commitWaitMs = 5_000;
const openWaitMs = 15_000;
const retryMs = 1;

export class CommitGate {
	readonly #path: string;
	readonly #turn: number;
	readonly #commits: number;
	/** Commits under way; they share one lock. */
	#underWay = 0;
	/** Commits that wait until others have opened. */
	#waiting = 0;
	readonly #entering = new KeyedMutex();

	/** @param path of the database's file; made where it is missing, unless it is to be read only. @throws Error of the file system */
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

	/** While no process commits. Holds up the whole process. @throws StoreError where others don't let it */
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

	/** A commit that is done when `write` returns. Holds up the whole process while others open. @throws StoreError where they don't end */
	during<T>(write: () => T): T {
		const limitMs = performance.now() + commitWaitMs;
		this.#waitUntil(() => this.#tryEnter(), limitMs);
		try {
			return write();
		} finally {
			this.#leave();
		}
	}

	/** @throws StoreError where others that open don't end; then nothing was begun */
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

	/** Not while somebody waits to open, even where a commit is under way: there would always be another one. */
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

	#waitUntil(isSo: () => boolean, limitMs: number): void {
		const nobody = new Int32Array(new SharedArrayBuffer(4));
		while (!isSo()) {
			if (performance.now() > limitMs) throw this.#held();
			Atomics.wait(nobody, 0, 0, retryMs);
		}
	}

	#held(): StoreError {
		return new StoreError(
			"unavailable",
			`${this.#path} can't be locked: another program holds the lock, or the file system does not support locks; try again`,
		);
	}
}
