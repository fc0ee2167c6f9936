/**
 * Delays between tries of a callback, with jitter, and of a task that failed for no fault of its own or found no engine: short at first, then ever longer. Pure.
 *
 * Those of a callback before jitter: 15 s, 1 min, 4 min, 16 min, 64 min, 4 h 16 min, then 6 h each: nine tries in the first 24 hours if each fails at once.
 */
import { backOff } from "../limits/back-off.js";

const firstSeconds = 15;
const factor = 4;
const secondsMax = 6 * 3600;
/** Fraction of the delay, subtracted or added. */
const jitter = 0.1;
const triesMin = 8;
const hoursMin = 24;

/** Upper bound of a delay. */
export const pauseSecondsMax = secondsMax * (1 + jitter);

/** @param tries made so far, all failed. @param ageSeconds since the callback was created. @param random from 0 to 1. @returns undefined: no more tries. */
export function nextTrySeconds(
	tries: number,
	ageSeconds: number,
	random: number,
): number | undefined {
	if (tries >= triesMin && ageSeconds >= hoursMin * 3600) return undefined;
	const plain = backOff(tries - 1, firstSeconds, secondsMax, factor);
	return plain * (1 - jitter + 2 * jitter * random);
}

const brokenMsMin = 1000;
const brokenMsMax = 60_000;

/** @param failures before this one, one after the other. */
export function brokenMs(failures: number): number {
	return backOff(failures, brokenMsMin, brokenMsMax);
}

const noEngineMsMin = 5000;
const noEngineMsMax = 60_000;

/** Each try is two writes. @param tries before this one, one after the other, in which no engine was available. */
export function noEngineMs(tries: number): number {
	return backOff(tries, noEngineMsMin, noEngineMsMax);
}
