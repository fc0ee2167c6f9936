/**
 * When an engine that uses too much memory is replaced: when it is idle. One that is never idle, since a microphone is always open, is replaced in a pause of
 * all its recognitions, if each of them can go on in another engine.
 */
import type { Phase } from "./supervisor-state.js";

export interface MemoryLimits {
	/** Of one engine; 0: three times its memory when it became ready. */
	readonly rssBytesMax: number;
	/** It is used for at least this long: where the limit is below what an engine needs, the next one exceeds it as soon. */
	readonly usedMsMin: number;
}

/** An engine to be replaced. */
export interface TooLarge {
	/** How each of its recognitions goes on in another engine; of an idle one none. */
	readonly movers: readonly (() => void)[];
	/** What it may have. */
	readonly bytesMax: number;
	/** What it had when it became ready. */
	readonly readyBytes: number;
}

const memoryGrowthMax = 3;

/** @returns undefined: it stays. */
export function tooLarge(
	phase: Phase,
	{ rssBytesMax, usedMsMin }: MemoryLimits,
): TooLarge | undefined {
	if (phase.is !== "ready") return undefined;
	const { engine, identity, sinceMs } = phase;
	const readyBytes = identity.rssBytes;
	const bytesMax = rssBytesMax || memoryGrowthMax * readyBytes;
	if ((engine.load?.rssBytes ?? 0) <= bytesMax) return undefined;
	if (performance.now() - sinceMs < usedMsMin) return undefined;
	const movers = engine.movers();
	return movers && { movers, bytesMax, readyBytes };
}
