/** @param value a confidence. @returns it within 0 and 1, rounded to four digits, as all interfaces show it. */
export function probability(value: number): number {
	return Math.round(Math.min(Math.max(value, 0), 1) * 1e4) / 1e4;
}
