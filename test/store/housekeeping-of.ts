/** Housekeeping of a store with room for a backup, and with errors decided by the test. */
import {
	Housekeeping,
	type HousekeepingParts,
} from "../../runtime/store/housekeeping.js";
import type { Store } from "../../runtime/store/open-store.js";
import { plainClock } from "../clock/plain-clock.js";

export function housekeepingOf(
	store: Store,
	dir: string,
	changes: Partial<HousekeepingParts> = {},
): Housekeeping {
	const fail = (trouble: unknown) => {
		throw trouble;
	};
	const clock = plainClock();
	const parts = {
		clock,
		reserveBytes: 0,
		onSkipped: fail,
		onError: fail,
		...changes,
	};
	return new Housekeeping({ store, dir, ...parts });
}
