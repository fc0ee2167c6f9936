/** Terms for a list of hotwords out of free text (`auto_extraction`), found in a process beside the server. */
import { KeywordProcess } from "../engine/keyword-process.js";
import { CodedError } from "../errors.js";
import type { KeywordSource } from "./sifting.js";

export const textCharactersMax = 1_000_000;

export class KeywordExtractor implements KeywordSource {
	readonly #process = new KeywordProcess();

	async keywords(text: string): Promise<readonly string[]> {
		if (isLonger(text, textCharactersMax))
			throw new CodedError(
				"200002",
				`words must be at most ${textCharactersMax} characters of text with auto_extraction`,
			);
		if (text.trim() === "") return [];
		const countMax = keywordsMax(text.length);
		return this.#process.find({ is: "terms", text, countMax });
	}

	/** Ends the process; the next text starts another. */
	close(): Promise<void> {
		return this.#process.close();
	}
}

/** In code points, without counting what is longer anyhow. */
function isLonger(text: string, charactersMax: number): boolean {
	if (text.length <= charactersMax) return false;
	if (text.length > 2 * charactersMax) return true;
	let characters = 0;
	for (const _ of text) characters++;
	return characters > charactersMax;
}

/** How many keywords a text of so many characters is worth: a page is about some twenty words, and a book not about all that it says. */
export function keywordsMax(characters: number): number {
	return Math.min(1000, Math.max(20, Math.ceil(characters / 20)));
}
