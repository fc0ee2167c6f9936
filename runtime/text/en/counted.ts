/** Whether a word is the plural of something that a number before it counts. */
export function isCounted(word: string): boolean {
	return (
		/[^isu]s$|^people$|^men$|^women$|^children$/.test(word) &&
		!/^(?:was|has|as)$/.test(word)
	);
}
