/** Exponential back-off: the pause before the next attempt, longer after each failure. Pure. */

/** @param failures before this one: 0 gives the first pause. @param longest in the unit of the first. */
export function backOff(
	failures: number,
	first: number,
	longest: number,
	factor = 2,
): number {
	return Math.min(first * factor ** failures, longest);
}
