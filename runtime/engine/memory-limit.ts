/**
 * When an engine that uses too much memory is replaced: as soon as it is idle. One that is never idle, since a microphone is always open, is replaced in a pause of
 * all its recognitions, if each of them can go on in another engine.
 */
import type { Phase } from "./supervisor-state.js";

export interface MemoryLimits {
	/** Of one engine; 0: three times its memory when it became ready. */
	readonly rssBytesMax: number;
	/** One that is never idle is in use for at least this long: where the limit is below what an engine needs, the next one exceeds it as soon. */
	readonly usedMsMin: number;
}

const memoryGrowthMax = 3;

/** @returns how each of its recognitions goes on in another engine, for an idle one none; undefined: it stays. */
export function moversOfTooLarge(
	phase: Phase,
	{ rssBytesMax, usedMsMin }: MemoryLimits,
): readonly (() => void)[] | undefined {
	if (phase.is !== "ready") return undefined;
	const { engine, identity, sinceMs } = phase;
	const bytesMax = rssBytesMax || memoryGrowthMax * identity.rssBytes;
	if ((engine.load?.rssBytes ?? 0) <= bytesMax) return undefined;
	if (engine.recognitions === 0) return [];
	return performance.now() - sinceMs < usedMsMin ? undefined : engine.movers();
}
