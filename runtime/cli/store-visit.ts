/** A short visit to the store, beside a running server or without one. */
import { thisMachine } from "../clock/machine-time.js";
import { type ReadOnlyClock, readOnlyClock } from "../clock/read-only-clock.js";
import { openStore, type Store } from "../store/open-store.js";
import { openProgress, type Progress } from "./progress.js";
import { UsageError } from "./verb.js";

/** @param visit is told the time that tokens expire by, which may be ahead of a clock that is wrong (runtime/clock). */
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

/** A check that takes no longer is not worth a bar. */
const unseenMs = 1000;

/** Without a server the database is checked first: on a slow card somebody wants to see that it gets on. */
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

/** A name goes into lists, logs and `app_id`: something to read, on one line. */
export function checkName(name: string): string {
	const trimmed = name.trim();
	if (!/^[^\p{Cc}]{1,100}$/u.test(trimmed))
		throw new UsageError(
			"--name must be 1 to 100 characters without control characters",
		);
	return trimmed;
}
