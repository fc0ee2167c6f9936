/**
 * Keeps the store small and restorable: expired rows are removed every hour, and a backup is made after the start and once a day, complete or not at all. If there
 * is no space for it, or it has rows that can't be read, the previous backup is kept, and it is retried an hour later.
 */
import { statSync } from "node:fs";
import { type BackupOptions, writeBackup } from "./backup.js";
import type { Moment } from "./clock-state.js";
import { eachTried } from "./each-tried.js";
import type { Store } from "./open-store.js";
import { backupPath, suspect } from "./state-files.js";
import { StoreError } from "./store-error.js";

const hourMs = 3_600_000;
const backupEveryMs = 24 * hourMs;
/** From the start to the first round where there is a backup: a server that dies again and again does not copy its database each time. */
const firstRoundMs = 60_000;
/** How long expired and revoked tokens stay visible in `token list`; those of applications are removed when they expire. */
const keepDeadSeconds = 7 * 86_400;

export interface HousekeepingParts extends BackupOptions {
	readonly store: Store;
	/** The state directory. */
	readonly dir: string;
	readonly clock: HousekeepingClock;
	/** Default: a minute. */
	readonly firstRoundMs?: number;
	/** A due backup was not made. */
	readonly onSkipped: (why: StoreError) => void;
	/** Error of a round; the next round runs as usual. */
	readonly onError: (error: unknown) => void;
}

/** The parts of `runtime/clock` that are used. */
export interface HousekeepingClock {
	nowSeconds(): number;
	/** Lower bound of Unix time. @param made the moment of a row that it is compared with */
	certainSeconds(made?: Moment): number;
	/** False while the clock is in doubt: nothing is removed then. */
	readonly countsAges: boolean;
}

/** The store's own backup, for health and metrics. */
export interface BackupState {
	/** Unix time of the current backup; undefined if there is none. */
	readonly madeSeconds: number | undefined;
	/** Why a due backup was not made. */
	readonly skipped: string | undefined;
}

export class Housekeeping {
	readonly #parts: HousekeepingParts;
	readonly #path: string;
	#backedUpAtMs = Number.NEGATIVE_INFINITY;
	#backup: BackupState;
	readonly #stopping = new AbortController();
	#round: Promise<void> = Promise.resolve();
	#timers: NodeJS.Timeout[] = [];

	constructor(parts: HousekeepingParts) {
		this.#parts = parts;
		this.#path = backupPath(parts.dir);
		const stats = statSync(this.#path, { throwIfNoEntry: false });
		this.#backup = {
			madeSeconds: stats && stats.mtimeMs / 1000,
			skipped: undefined,
		};
	}

	start(): void {
		const next = () => {
			this.#round = this.runOnce().catch(this.#parts.onError);
		};
		this.#timers = [setInterval(next, hourMs)];
		if (this.#backup.madeSeconds === undefined) next();
		else
			this.#timers.push(
				setTimeout(next, this.#parts.firstRoundMs ?? firstRoundMs),
			);
		for (const timer of this.#timers) timer.unref();
	}

	/** Also waits for a round in progress; a backup that is being checked is aborted, since that may take minutes. */
	async stop(): Promise<void> {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#stopping.abort();
		await this.#round;
	}

	get backup(): BackupState {
		return this.#backup;
	}

	/** Runs what is due, each also after another one failed; rejects on errors of the disk. */
	async runOnce(): Promise<void> {
		const ageing = [() => this.#forgetNonces(), () => this.#forgetTokens()];
		const steps = [
			...(this.#parts.clock.countsAges ? ageing : []),
			() => this.#backUpIfDue(),
		];
		await eachTried(steps, (step) => step());
	}

	async #forgetNonces(): Promise<void> {
		const { store, clock } = this.#parts;
		await store.nonces.removeExpired(clock.certainSeconds());
	}

	async #forgetTokens(): Promise<void> {
		const { store, clock } = this.#parts;
		await store.tokens.removeDead(
			(made) => clock.certainSeconds(made),
			keepDeadSeconds,
		);
	}

	async #backUpIfDue(): Promise<void> {
		if (performance.now() - this.#backedUpAtMs < backupEveryMs) return;
		const { store, dir, clock, onSkipped, check } = this.#parts;
		try {
			await writeBackup(store.database, this.#path, {
				...this.#parts,
				check: { ...check, signal: this.#stopping.signal },
			});
		} catch (thrown) {
			if (this.#stopping.signal.aborted) return; // made at the next start
			if (!(thrown instanceof StoreError)) throw thrown;
			if (thrown.trouble === "damaged") suspect(dir); // the next start repairs it
			this.#backup = { ...this.#backup, skipped: thrown.message };
			onSkipped(thrown);
			return;
		}
		this.#backedUpAtMs = performance.now();
		this.#backup = { madeSeconds: clock.nowSeconds(), skipped: undefined };
	}
}
