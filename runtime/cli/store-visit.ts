/** Short access to the store, beside a running server or without one. */
import { thisMachine } from "../clock/machine-time.js";
import { type ReadOnlyClock, readOnlyClock } from "../clock/read-only-clock.js";
import { openStore, type Store } from "../store/open-store.js";
import { openProgress, type Progress } from "./progress.js";
import { UsageError } from "./verb.js";

/** @param visit gets the time by which tokens expire, which may differ from a wrong wall clock (runtime/clock). */
export async function withStore(
	dir: string,
	visit: (
		store: Store,
		nowSeconds: number,
		clock: ReadOnlyClock,
	) => Promise<void> | void,
): Promise<void> {
	const store = await opened(dir);
	try {
		const clock = readOnlyClock(store.clock, thisMachine.read());
		await visit(store, clock.expirySeconds(), clock);
	} finally {
		await store.close();
	}
}

/** A shorter check needs no progress bar. */
const unseenMs = 1000;

/** Without a server the database is checked first: on a slow card the user should see progress. */
async function opened(dir: string): Promise<Store> {
	const sinceMs = performance.now();
	let bar: Progress | undefined;
	let shown = 0;
	try {
		return await openStore({
			dir,
			as: "visit",
			onProgress: ({ done, total }) => {
				if (performance.now() - sinceMs < unseenMs) return;
				bar ??= openProgress("checking the database", total);
				bar.advance(done - shown);
				shown = done;
			},
		});
	} finally {
		bar?.close();
	}
}

/** A name is shown in lists, logs and `app_id`: it must be readable and on one line. */
export function checkName(name: string): string {
	const trimmed = name.trim();
	if (!/^[^\p{Cc}]{1,100}$/u.test(trimmed))
		throw new UsageError(
			"--name must be 1 to 100 characters without control characters",
		);
	return trimmed;
}
