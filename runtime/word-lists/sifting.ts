/**
 * From what somebody sent to the entries that a list will have: keywords of a text where that was asked for, the rules of the kind, then its limit. In slices:
 * twenty thousand entries take some fifty milliseconds.
 */

import { CodedError } from "../errors.js";
import { inSlices } from "../event-loop/slices.js";
import type { Language } from "../text/languages.js";
import { isChinese } from "../text/languages.js";
import { EntrySieve } from "../words/sieve.js";
import type { WordListKind } from "./kinds.js";

export const entriesMax = 20_000;
/** Of all corrections of a list: what is longer would hold the event loop whenever it is read. */
const formsMax = 50_000;
/** Where it is clear that they are too many, nobody counts on. */
const countedMax = 100_000;

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
		let forms = 0;
		const count = (entry: string | undefined) => {
			if (entry === undefined) return;
			forms += this.#kind.countForms(entry);
			const entries = sieve.kept.length;
			if (entries > countedMax)
				throw this.#tooMany(entriesMax, "entries", `more than ${countedMax}`);
			// beyond that they are too many as entries
			if (forms > formsMax && entries <= entriesMax)
				throw this.#tooMany(formsMax, "wrong forms", "more");
		};
		await inSlices(there, (it) => {
			sieve.seed(it);
			count(it);
		});
		await inSlices(given, (it) => count(sieve.offer(it)));
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
		throw this.#tooMany(entriesMax, "entries", `${kept.length}`);
	}

	#tooMany(max: number, of: string, count: string): CodedError {
		const { what, status } = this.#kind;
		return new CodedError(
			status.malformed,
			`a ${what} holds at most ${max} ${of}, this would make ${count}`,
		);
	}
}
