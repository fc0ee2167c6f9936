/** Random numbers that a failing test can be run again with: the seed is printed, and EARSHOT_TEST_SEED sets it. */
export function seededRandom(): { random: () => number; seed: number } {
	const seed = Number(process.env.EARSHOT_TEST_SEED ?? Date.now() % 1_000_000);
	return { random: randomOf(seed), seed };
}

/** The same numbers for the same seed, for ever. */
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
