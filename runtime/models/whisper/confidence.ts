/**
 * Calibrated confidence: of the words given 0.9, nine in ten are right. A token's own probability and the segment's mean are inputs of one
 * logistic curve, fitted on 6,555 tokens of our clips (zh, ja, en; int8, beam 5). Confidence against accuracy on those clips:
 * tokens 0-0.3: 37 %, 0.3-0.5: 54 %, 0.5-0.7: 57 %, 0.7-0.8: 67 %, 0.8-0.85: 76 %, 0.85-0.9: 82 %, 0.9-0.95: 94 %, above: 100 %;
 * segments below 0.6: 66 %, 0.7-0.8: 74 %, 0.8-0.85: 77 %, 0.85-0.9: 86 %, 0.9-0.93: 92 %, above: 99 %.
 */
const offset = 3.32;
const weightOfToken = 1.98;
const weightOfSegment = 2.76;

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
