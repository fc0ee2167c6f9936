/**
 * What the words of a list are worth to a search, whatever model it belongs to (docs/hotwords.md; the measurements behind it are in docs/benchmarks/rejected.md).
 */
import type { HotwordOptions } from "./recognizer.js";

/**
 * Bonus of one unit (a Chinese character, four letters) at a weight of 1, natural logarithm. Grows with the root of the weight: 1.5 at 0.1, 3.0 at 0.4,
 * 4.75 at 1.
 */
const natsPerUnit = 4.75;
/** Entries that are no crowd, */
const crowdMin = 120;
/** and how much ten times as many take from each. */
const crowdFactor = 0.5;

/** @returns the bonus of one unit in nats. Among many words the chance grows that a wrong one sounds right, so each is worth less. */
export function hotwordWorth({ list, weight }: HotwordOptions): number {
	const crowd = Math.max(0, Math.log10(list.entries.length / crowdMin));
	return (Math.sqrt(weight) * natsPerUnit) / (1 + crowdFactor * crowd);
}
