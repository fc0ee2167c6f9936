/** @returns the mean of what texts are worth: each counts by its length, a long sure one outweighs a short unsure one. 0 where nothing was said. */
export function meanConfidence(
	texts: readonly { readonly text: string; readonly confidence: number }[],
): number {
	let sum = 0;
	let characters = 0;
	for (const { text, confidence } of texts) {
		sum += confidence * text.length;
		characters += text.length;
	}
	return characters === 0 ? 0 : sum / characters;
}
