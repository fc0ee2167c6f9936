/** Extracts terms for a hotword list from free text (`auto_extraction`), in a separate process. */
import { KeywordProcess } from "../engine/keyword-process.js";
import { CodedError } from "../errors.js";
import { exceedsCharacters } from "../words/entry.js";
import type { KeywordSource } from "./entry-selection.js";

const textCharactersMax = 1_000_000;

export class KeywordExtractor implements KeywordSource {
	readonly #process = new KeywordProcess();

	async keywords(text: string): Promise<readonly string[]> {
		if (exceedsCharacters(text, textCharactersMax))
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

/** Number of keywords for a text of this length: twenty for a page, proportionally fewer for a book. */
function keywordsMax(characters: number): number {
	return Math.min(1000, Math.max(20, Math.ceil(characters / 20)));
}
