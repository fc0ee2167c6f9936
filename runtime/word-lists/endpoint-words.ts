/**
 * The word lists of clients whose protocol can't name any: where a request has none of a kind, those of `endpoints.*` that are of its language. Clients can't
 * mend what the operator's configuration names, so that never refuses a request: what can't be used is left out, and logged once.
 */
import type { LogPort } from "../log/log-port.js";
import type { ListNames, ListReferences } from "../session/options.js";
import type { Language } from "../text/languages.js";
import { idOfKey } from "../words/list-key.js";
import type { ListHolder } from "../words/list-usage.js";
import type { WordList } from "../words/word-list.js";
import { NotesLog } from "./notes-log.js";
import {
	eachOf,
	type FittingWords,
	type ReferredWords,
	type StoredWords,
	type UsableLists,
	type WordSource,
} from "./references.js";

export interface EndpointWordsParts {
	readonly stored: WordSource & Pick<StoredWords, "usable">;
	/** In force: a reload may change it. */
	readonly names: () => ListNames;
	readonly log: Pick<LogPort, "warn">;
}

/** A source that also says which lists a request means, for what is recognized later. */
export interface DefaultingWords extends WordSource {
	withDefaults(
		given: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): ListReferences;
}

export class EndpointWords implements DefaultingWords {
	readonly #parts: EndpointWordsParts;
	readonly #notes: NotesLog;

	constructor(parts: EndpointWordsParts) {
		this.#parts = parts;
		this.#notes = new NotesLog(parts.log);
	}

	resolve(
		given: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): ReferredWords {
		const defaults = this.#defaults(given, language, choices);
		const own = this.#parts.stored.resolve(given, language, choices);
		return { ...wordsOf(defaults, given), ...own };
	}

	resolveAccepted(
		given: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): FittingWords {
		const defaults = this.#defaults(given, language, choices);
		const own = this.#parts.stored.resolveAccepted(given, language, choices);
		const words = { ...wordsOf(defaults, given), ...own.words };
		return { words, notes: own.notes };
	}

	withDefaults(
		given: ListReferences,
		language: Language,
		choices?: readonly Language[],
	): ListReferences {
		const defaults = this.#defaults(given, language, choices);
		// a recognition has hotwords of one language, and here it is known
		const { hotwords } = this.#defaults(given, language);
		return { ...given, ...namesOf({ ...defaults, hotwords }) };
	}

	hold(words: ReferredWords): () => void {
		return this.#parts.stored.hold(words);
	}

	holdNamed(
		given: ListReferences,
		language: Language,
		by: ListHolder,
		choices?: readonly Language[],
	): () => void {
		const references = this.withDefaults(given, language, choices);
		return this.#parts.stored.holdNamed(references, language, by, choices);
	}

	#defaults(
		given: ListReferences,
		language: Language,
		choices: readonly Language[] = [],
	): UsableLists {
		const { stored, names } = this.#parts;
		const languages = eachOf(language, choices);
		const lists = stored.usable(unnamed(names(), given), languages);
		this.#notes.add(lists.notes.map((note) => `endpoints.${note}`));
		return lists;
	}
}

/** The names of kinds of which a request has nothing. */
function unnamed(
	{ hotwordsId, correctionWordsId, forbiddenWordsId }: ListNames,
	given: ListReferences,
): ListNames {
	const hasHotwords =
		given.hotwordsId !== undefined || Boolean(given.hotwordsList?.length);
	return {
		...(!hasHotwords && hotwordsId && { hotwordsId }),
		...(given.correctionWordsId === undefined &&
			correctionWordsId && { correctionWordsId }),
		...(given.forbiddenWordsId === undefined &&
			forbiddenWordsId && { forbiddenWordsId }),
	};
}

function wordsOf(
	{ hotwords: [list], corrections, forbidden }: UsableLists,
	{ hotwordsWeight: weight }: ListReferences,
): ReferredWords {
	return {
		...(list && { hotwords: { list, weight } }),
		...(corrections.length > 0 && { corrections }),
		...(forbidden.length > 0 && { forbidden }),
	};
}

function namesOf({ hotwords, corrections, forbidden }: UsableLists): ListNames {
	const ids = (lists: readonly WordList[]) =>
		lists.map(({ key }) => idOfKey(key)).join("|");
	return {
		...(hotwords.length > 0 && { hotwordsId: ids(hotwords) }),
		...(corrections.length > 0 && { correctionWordsId: ids(corrections) }),
		...(forbidden.length > 0 && { forbiddenWordsId: ids(forbidden) }),
	};
}
