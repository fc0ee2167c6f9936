/** @returns the samples one after the other; where there are none of the first, the second itself. */
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
