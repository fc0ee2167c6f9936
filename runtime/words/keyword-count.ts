/** How many keywords a text of so many characters is worth: a page is about some twenty words, and a book not about all that it says. */
export function keywordsMax(characters: number): number {
	return Math.min(1000, Math.max(20, Math.ceil(characters / 20)));
}
