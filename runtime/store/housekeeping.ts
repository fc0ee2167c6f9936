/**
 * What keeps the store small and restorable: expired rows go every hour, and a backup is made at the start and once a day, whole or not at all.
 */
import { writeBackup } from "./backup.js";
import { backupPath, type Store } from "./open-store.js";

const hourMs = 3_600_000;
const backupEveryMs = 24 * hourMs;
/** Expired and revoked tokens stay visible in `token list` for so long; those of applications are gone when they expire. */
const keepDeadSeconds = 7 * 86_400;

export interface Housekeeping {
	/** Does now what is due; rejects when the disk does not let it. */
	runOnce(): Promise<void>;
	/** Also waits for what is under way. */
	stop(): Promise<void>;
}

/** @param onError of a round; the next one comes all the same. */
export function startHousekeeping(
	store: Store,
	dir: string,
	onError: (error: unknown) => void,
): Housekeeping {
	let backedUpAtMs = Number.NEGATIVE_INFINITY;
	let round: Promise<void> = Promise.resolve();
	const runOnce = async () => {
		const nowSeconds = Math.floor(Date.now() / 1000);
		await store.nonces.removeExpired(nowSeconds);
		await store.tokens.removeDead(nowSeconds, keepDeadSeconds);
		if (performance.now() - backedUpAtMs < backupEveryMs) return;
		await writeBackup(store.database, backupPath(dir));
		backedUpAtMs = performance.now();
	};
	const next = () => {
		round = runOnce().catch(onError);
	};
	const timer = setInterval(next, hourMs);
	timer.unref();
	next();
	return {
		runOnce,
		stop: async () => {
			clearInterval(timer);
			await round;
		},
	};
}
