/** @returns the samples of both; if the first is empty, the second itself, not a copy. */
export function concat(
	first: Float32Array,
	second: Float32Array,
): Float32Array {
	if (first.length === 0) return second;
	const joined = new Float32Array(first.length + second.length);
	joined.set(first);
	joined.set(second, first.length);
	return joined;
}
