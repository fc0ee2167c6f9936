/**
 * From what somebody sent to the entries that a list will have: keywords of a text where that was asked for, the rules of the kind, then its limit. In slices:
 * twenty thousand entries take some fifty milliseconds.
 */
import { CodedError } from "../../errors.js";
import type { Language } from "../../models/recognizer.js";
import { EntrySieve } from "../../words/sieve.js";
import { inSlices } from "../slices.js";
import { isChinese, type WordListKind } from "./kinds.js";

export const entriesMax = 20_000;

/** Keywords out of free Chinese text, best first. */
export interface KeywordSource {
	/** @throws CodedError */
	keywords(text: string): Promise<readonly string[]>;
}

/** Entries as somebody sent them, or text to find them in. */
export interface GivenWords {
	readonly words: readonly string[];
	readonly extract: boolean;
}

export class Sifting {
	readonly #kind: WordListKind;
	readonly #extractor: KeywordSource;

	constructor(kind: WordListKind, extractor: KeywordSource) {
		this.#kind = kind;
		this.#extractor = extractor;
	}

	/** @param there entries that stay, whatever is given. */
	async sift(
		there: readonly string[],
		language: Language,
		{ words, extract }: GivenWords,
	): Promise<EntrySieve> {
		const sieve = new EntrySieve(this.#kind.rule(language));
		const given = extract ? await this.#extract(words, language) : words;
		await inSlices(there, (it) => sieve.seed(it));
		await inSlices(given, (it) => sieve.offer(it));
		return sieve;
	}

	async #extract(
		words: readonly string[],
		language: Language,
	): Promise<readonly string[]> {
		if (!this.#kind.extracts || !isChinese(language))
			throw new CodedError(
				"200002",
				"auto_extraction is for hotword databases of Chinese and Chinese-English only",
			);
		return this.#extractor.keywords(words.join("\n"));
	}

	/** @throws CodedError the kind's own where they are too many. */
	limited({ kept }: EntrySieve): readonly string[] {
		if (kept.length <= entriesMax) return kept;
		throw new CodedError(
			this.#kind.status.malformed,
			`a ${this.#kind.what} holds at most ${entriesMax} entries, this would make ${kept.length}`,
		);
	}
}
