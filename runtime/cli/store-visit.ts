/** A short visit to the store, beside a running server or without one. */
import { openStore, type Store } from "../store/open-store.js";
import { UsageError } from "./verb.js";

export async function withStore(
	dir: string,
	visit: (store: Store, nowSeconds: number) => Promise<void> | void,
): Promise<void> {
	const store = await openStore({ dir, as: "visit" });
	try {
		await visit(store, Date.now() / 1000);
	} finally {
		await store.close();
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
