/** The few numbers that a benchmark is summed up by. */

/** @param share 0 to 1; the value that this share of the values does not pass. */
export function percentile(values: readonly number[], share: number): number {
	if (values.length === 0) throw new Error("no values");
	const sorted = [...values].sort((one, other) => one - other);
	const rank = Math.ceil(share * sorted.length) - 1;
	return sorted[Math.max(0, rank)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
	const low = percentile(values, 0.5);
	if (values.length % 2 === 1) return low;
	const sorted = [...values].sort((one, other) => one - other);
	return (low + (sorted[values.length / 2] ?? low)) / 2;
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** The 95 % confidence interval of the median, by the ranks between which it lies for any distribution (normal approximation; from about ten values on). */
export function medianWithin(values: readonly number[]): {
	readonly low: number;
	readonly high: number;
} {
	const half = (1.96 * Math.sqrt(values.length)) / 2 / values.length;
	return {
		low: percentile(values, Math.max(0, 0.5 - half)),
		high: percentile(values, Math.min(1, 0.5 + half)),
	};
}
