/**
 * Looks up the word lists that a recognition names or contains at its start, for all endpoints alike (docs/interface.md section 2.3,
 * docs/decisions.md sections 5 and 11). The result does not change while the recognition runs, whatever happens to the stored list.
 */

import type {
	ListNames,
	ListReferences,
	RecognitionOptions,
} from "../session/options.js";
import type { WordListRepository, WordListRow } from "../store/word-lists.js";
import type { Language } from "../text/languages.js";
import { isJapanese } from "../text/languages.js";
import { EntryFilter } from "../words/entry-filter.js";
import { eitherRule, writingRule } from "../words/hotword.js";
import { inlineKey, type ListKind, type ListRef } from "../words/list-key.js";
import type { ListHolder, ListUsage } from "../words/list-usage.js";
import { listsOf } from "../words/referred-lists.js";
import type { WordList } from "../words/word-list.js";
import { ListCache, type ListCacheParts } from "./list-cache.js";
import { ListReading } from "./list-reading.js";
import { ListRows } from "./list-rows.js";
import { NotesLog } from "./notes-log.js";

export type ReferredWords = Pick<
	RecognitionOptions,
	"hotwords" | "corrections" | "forbidden"
>;

/** The interface for endpoints. */
export interface WordSource {
	/**
	 * @param choices languages that may be identified instead: what a request names is of one of them, and `all` is of all, as far as their lists fit beside
	 * those of `language`.
	 * @throws CodedError 210404, 211404, 212404; 200002 for a list of another language
	 */
	resolve(
		references: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): ReferredWords;
	/** As `resolve`, for a request that was accepted earlier: lists that have grown since do not refuse it. @throws CodedError for a missing list */
	resolveAccepted(
		references: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): FittingWords;
	/** Protects the lists from removal before a recognition holds them. @returns a function that releases them. */
	hold(words: ReferredWords): () => void;
	/** The same for every list that is named, also those that are empty now: they are read later. */
	holdNamed(
		references: ListReferences,
		language: Language,
		by: ListHolder,
		choices?: readonly Language[],
	): () => void;
}

/** Lists that the limits of a request have room for. */
export interface FittingWords {
	readonly words: ReferredWords;
	/** Describes what is left out, for people. */
	readonly notes: readonly string[];
}

/** What of some names a recognition can use. */
export interface UsableLists {
	/** One at most. */
	readonly hotwords: readonly WordList[];
	readonly corrections: readonly WordList[];
	readonly forbidden: readonly WordList[];
	/** Describes what is left out, for people. */
	readonly notes: readonly string[];
}

type ReadLists = (rows: readonly WordListRow[], kind: ListKind) => WordList[];

export interface StoredWordsParts extends ListCacheParts {
	readonly repositories: Readonly<
		Record<ListKind, Pick<WordListRepository, "find" | "list" | "read">>
	>;
	readonly usage: ListUsage;
	/** `hotwords.categories` */
	readonly categories: readonly string[];
}

export class StoredWords implements WordSource {
	readonly #parts: StoredWordsParts;
	readonly #cache: ListCache;
	readonly #rows: ListRows;
	readonly #notes: NotesLog;

	constructor(parts: StoredWordsParts) {
		this.#parts = parts;
		this.#cache = new ListCache(parts);
		this.#rows = new ListRows(parts);
		this.#notes = new NotesLog(parts.log);
	}

	resolve(
		references: ListReferences,
		language: Language,
		choices: readonly Language[] = [],
	): ReferredWords {
		const reading = this.#reading();
		const languages = eachOf(language, choices);
		const read: ReadLists = (rows, kind) => reading.readAll(rows, kind);
		const notes: string[] = [];
		const readOthers = this.#fitting(reading, notes);
		const words = this.#resolve(references, languages, read, readOthers);
		this.#notes.add(notes);
		return words;
	}

	resolveAccepted(
		references: ListReferences,
		language: Language,
		choices: readonly Language[] = [],
	): FittingWords {
		const notes: string[] = [];
		const read = this.#fitting(this.#reading(), notes);
		const languages = eachOf(language, choices);
		const words = this.#resolve(references, languages, read, read);
		return { words, notes };
	}

	/** @param names lists of any language. @returns those that are there, of one of these languages and not empty, and that fit */
	usable(names: ListNames, languages: readonly Language[]): UsableLists {
		const notes: string[] = [];
		const read = this.#fitting(this.#reading(), notes);
		const lists = (kind: ListKind, ids: string | undefined) =>
			ids === undefined
				? []
				: read(this.#rows.there(kind, ids, languages, notes), kind);
		return {
			hotwords: lists("hotwords", names.hotwordsId),
			corrections: lists("correction-words", names.correctionWordsId),
			forbidden: lists("forbidden-words", names.forbiddenWordsId),
			notes,
		};
	}

	#reading(): ListReading {
		return new ListReading(this.#cache, this.#parts.kinds);
	}

	/** @param notes gets what is left out. */
	#fitting(reading: ListReading, notes: string[]): ReadLists {
		const { kinds } = this.#parts;
		return (rows, kind) => {
			const lists = reading.readFirst(rows, kind);
			const filled = rows.filter((row) => row.amount > 0).length;
			if (lists.length < filled)
				notes.push(
					`${kinds[kind].idParameter}: ${filled - lists.length} of ${filled} lists not used, beyond the limits of a request`,
				);
			return lists;
		};
	}

	/** @param readOthers of `all` the lists of other languages: they take nothing from what the first one has. */
	#resolve(
		references: ListReferences,
		languages: readonly Language[],
		read: ReadLists,
		readOthers: ReadLists,
	): ReferredWords {
		const { correctionWordsId, forbiddenWordsId } = references;
		const list = this.#hotwords(references, languages, read);
		const lists = (kind: ListKind, ids: string | undefined) =>
			ids === undefined
				? []
				: read(this.#rows.named(kind, ids, languages), kind);
		const others = (kind: ListKind, ids: string | undefined) =>
			readOthers(this.#rows.others(kind, ids, languages), kind);
		const corrections = lists("correction-words", correctionWordsId);
		const forbidden = lists("forbidden-words", forbiddenWordsId);
		corrections.push(...others("correction-words", correctionWordsId));
		forbidden.push(...others("forbidden-words", forbiddenWordsId));
		return {
			...(list && { hotwords: { list, weight: references.hotwordsWeight } }),
			...(corrections.length > 0 && { corrections }),
			...(forbidden.length > 0 && { forbidden }),
		};
	}

	hold(words: ReferredWords): () => void {
		return this.#parts.usage.hold(listsOf(words));
	}

	holdNamed(
		references: ListReferences,
		language: Language,
		by: ListHolder,
		choices: readonly Language[] = [],
	): () => void {
		const refs = this.#refs(references, eachOf(language, choices));
		return this.#parts.usage.holdNamed(refs, by);
	}

	#refs(references: ListReferences, languages: readonly Language[]): ListRef[] {
		const { hotwordsList, hotwordsId } = references;
		const refs = (kind: ListKind, ids: string | undefined): ListRef[] =>
			ids === undefined
				? []
				: ids === "all"
					? this.#rows.allOf(kind, languages).map(({ id }) => ({ kind, id }))
					: ids.split("|").map((id) => ({ kind, id }));
		return [
			...(hotwordsId === undefined || hotwordsList?.length
				? []
				: [{ kind: "hotwords" as const, id: hotwordsId }]),
			...refs("correction-words", references.correctionWordsId),
			...refs("forbidden-words", references.forbiddenWordsId),
		];
	}

	#hotwords(
		{ hotwordsList: given, hotwordsId: id }: ListReferences,
		languages: readonly Language[],
		read: ReadLists,
	): WordList | undefined {
		// hotwords in the request take precedence: the id is not even checked
		if (given?.length) return this.#inline(given, languages);
		if (id === undefined) return undefined;
		return read([this.#rows.find("hotwords", id, languages)], "hotwords")[0];
	}

	/** Plain words in every language, three columns also in Japanese; entries that break a rule are left out. */
	#inline(
		given: readonly string[],
		languages: readonly Language[],
	): WordList | undefined {
		const rule = languages.some(isJapanese)
			? eitherRule(this.#parts.categories)
			: writingRule;
		const filter = new EntryFilter(rule);
		for (const word of given) filter.add(word);
		const entries = filter.kept;
		return entries.length === 0
			? undefined
			: { key: inlineKey(entries), entries };
	}
}

/** Every language that may be spoken, the presumed one first. */
export function eachOf(
	language: Language,
	choices: readonly Language[],
): readonly Language[] {
	return [...new Set([language, ...choices])];
}
