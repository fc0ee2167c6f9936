/** Random numbers of a seed. Answers were recorded of models that were made with these, so they stay as they are; for anything else: test/fuzz/random.ts. */
export function randomOf(seed: number): () => number {
	let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
	return () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state >>>= 0;
		return state / 0x1_0000_0000;
	};
}
