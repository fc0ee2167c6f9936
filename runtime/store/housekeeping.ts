/**
 * What keeps the store small and restorable: expired rows go every hour, and a backup is made at the start and once a day, whole or not at all. Where there is no
 * room for it, or it has rows that can't be read, the one of before stays, and it is tried again an hour later.
 */
import { statSync } from "node:fs";
import { type BackupOptions, writeBackup } from "./backup.js";
import type { Moment } from "./clock-state.js";
import type { Store } from "./open-store.js";
import { backupPath, suspect } from "./state-files.js";
import { StoreError } from "./store-error.js";

const hourMs = 3_600_000;
const backupEveryMs = 24 * hourMs;
/** Expired and revoked tokens stay visible in `token list` for so long; those of applications are gone when they expire. */
const keepDeadSeconds = 7 * 86_400;

export interface HousekeepingParts extends BackupOptions {
	readonly store: Store;
	/** The state directory. */
	readonly dir: string;
	readonly clock: HouseClock;
	/** A backup that is due was not made. */
	readonly onSkipped: (why: StoreError) => void;
	/** Of a round; the next one comes all the same. */
	readonly onError: (error: unknown) => void;
}

/** Of `runtime/clock`. */
export interface HouseClock {
	nowSeconds(): number;
	/** Unix time that has passed for certain. @param made for what was made then */
	certainSeconds(made?: Moment): number;
	/** False while the clock is in doubt: nothing is forgotten. */
	readonly countsAges: boolean;
}

/** The store's own backup, for health and metrics. */
export interface BackupState {
	/** Unix time of the one that is there; undefined: there is none. */
	readonly madeSeconds: number | undefined;
	/** Why the one that is due was not made. */
	readonly skipped: string | undefined;
}

export class Housekeeping {
	readonly #parts: HousekeepingParts;
	readonly #path: string;
	#backedUpAtMs = Number.NEGATIVE_INFINITY;
	#backup: BackupState;
	readonly #stopping = new AbortController();
	#round: Promise<void> = Promise.resolve();
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: HousekeepingParts) {
		this.#parts = parts;
		this.#path = backupPath(parts.dir);
		const there = statSync(this.#path, { throwIfNoEntry: false });
		this.#backup = {
			madeSeconds: there && there.mtimeMs / 1000,
			skipped: undefined,
		};
	}

	start(): void {
		const next = () => {
			this.#round = this.runOnce().catch(this.#parts.onError);
		};
		this.#timer = setInterval(next, hourMs);
		this.#timer.unref();
		next();
	}

	/** Also waits for what is under way; a backup that is being read is given up, for that may take minutes. */
	async stop(): Promise<void> {
		clearInterval(this.#timer);
		this.#stopping.abort();
		await this.#round;
	}

	get backup(): BackupState {
		return this.#backup;
	}

	/** Does now what is due; rejects when the disk does not let it. */
	async runOnce(): Promise<void> {
		await this.#forgetExpired();
		if (performance.now() - this.#backedUpAtMs >= backupEveryMs)
			await this.#backUp();
	}

	async #forgetExpired(): Promise<void> {
		const { store, clock } = this.#parts;
		if (!clock.countsAges) return;
		await store.nonces.removeExpired(clock.certainSeconds());
		await store.tokens.removeDead(
			(made) => clock.certainSeconds(made),
			keepDeadSeconds,
		);
	}

	async #backUp(): Promise<void> {
		const { store, dir, clock, onSkipped, check } = this.#parts;
		try {
			await writeBackup(store.database, this.#path, {
				...this.#parts,
				check: { ...check, signal: this.#stopping.signal },
			});
		} catch (thrown) {
			if (this.#stopping.signal.aborted) return; // made at the next start
			if (!(thrown instanceof StoreError)) throw thrown;
			if (thrown.trouble === "damaged") suspect(dir); // the next start mends it
			this.#backup = { ...this.#backup, skipped: thrown.message };
			onSkipped(thrown);
			return;
		}
		this.#backedUpAtMs = performance.now();
		this.#backup = { madeSeconds: clock.nowSeconds(), skipped: undefined };
	}
}
