/** Whether a word is the plural of something that a number before it counts. */
export function isCounted(word: string): boolean {
	return (
		/^[a-z]*[^isu'’]s$|^people$|^men$|^women$|^children$/.test(word) &&
		!/^(?:was|has|as|yes|always|perhaps|sometimes|does|comes|goes)$/.test(word)
	);
}
