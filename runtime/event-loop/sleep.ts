import { setTimeout as sleep } from "node:timers/promises";

/** A pause that a signal ends early: whoever sleeps looks at the signal itself. */
export async function sleepUnlessAborted(
	ms: number,
	signal: AbortSignal,
): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => {});
}
