/**
 * Turns submitted words into the entries of a list: extracts keywords if requested, applies the rules of the kind, then its limit. Works in slices:
 * twenty thousand entries take about fifty milliseconds.
 */

import { CodedError } from "../errors.js";
import { inSlices } from "../event-loop/slices.js";
import type { Language } from "../text/languages.js";
import { isChinese } from "../text/languages.js";
import { EntryFilter } from "../words/entry-filter.js";
import type { WordListKind } from "./kinds.js";

export const entriesMax = 20_000;
/** In all corrections of a list together: more would block the event loop whenever the list is read. */
const formsMax = 50_000;
/** Counting stops here: it is clear then that there are too many. */
const countedMax = 100_000;

/** Extracts keywords from free Chinese text, best first. */
export interface KeywordSource {
	/** @throws CodedError */
	keywords(text: string): Promise<readonly string[]>;
}

/** Entries as submitted, or text to extract them from. */
export interface GivenWords {
	readonly words: readonly string[];
	readonly extract: boolean;
}

export class EntrySelection {
	readonly #kind: WordListKind;
	readonly #extractor: KeywordSource;

	constructor(kind: WordListKind, extractor: KeywordSource) {
		this.#kind = kind;
		this.#extractor = extractor;
	}

	/** @param existing entries that stay in any case. */
	async select(
		existing: readonly string[],
		language: Language,
		{ words, extract }: GivenWords,
	): Promise<EntryFilter> {
		const filter = new EntryFilter(this.#kind.rule(language));
		const given = extract ? await this.#extract(words, language) : words;
		let forms = 0;
		const countEntry = (entry: string | undefined) => {
			if (entry === undefined) return;
			forms += this.#kind.countForms(entry);
			const entries = filter.kept.length;
			if (entries > countedMax)
				throw this.#tooMany(entriesMax, "entries", `more than ${countedMax}`);
			// with more entries than allowed, that error is reported instead
			if (forms > formsMax && entries <= entriesMax)
				throw this.#tooMany(formsMax, "wrong forms", "more");
		};
		await inSlices(existing, (it) => {
			filter.seed(it);
			countEntry(it);
		});
		await inSlices(given, (it) => countEntry(filter.add(it)));
		return filter;
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

	/** @throws CodedError with the kind's status if there are too many. */
	limited({ kept }: EntryFilter): readonly string[] {
		if (kept.length <= entriesMax) return kept;
		throw this.#tooMany(entriesMax, "entries", `${kept.length}`);
	}

	#tooMany(max: number, unitName: string, count: string): CodedError {
		const { what, status } = this.#kind;
		return new CodedError(
			status.malformed,
			`a ${what} holds at most ${max} ${unitName}, this would make ${count}`,
		);
	}
}
