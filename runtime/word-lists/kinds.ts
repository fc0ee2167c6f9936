/**
 * The three kinds of stored lists, each declared once: where it is served, which entries it takes, what its errors are (docs/decisions.md sections 1, 5, 6).
 */

import type { StatusCode } from "../errors.js";
import type { Language } from "../text/languages.js";
import { isJapanese } from "../text/languages.js";
import {
	type CorrectionLimits,
	correctionRule,
	countForms,
	forbiddenRule,
	isWithin,
} from "../words/correction.js";
import type { EntryRule } from "../words/entry.js";
import { readingRule, writingRule } from "../words/hotword.js";
import type { ListKind } from "../words/list-key.js";

export interface WordListKind {
	readonly kind: ListKind;
	/** For people. */
	readonly what: string;
	readonly path: string;
	/** Of the path, and of recognition requests. */
	readonly idParameter: string;
	readonly status: KindStatuses;
	/** Ids made by the service begin so. */
	readonly idPrefix: string;
	/** Names that mean something else in requests. */
	readonly reservedIds: readonly string[];
	/** `auto_extraction` finds its entries in free text. */
	readonly extracts: boolean;
	/** How an entry is written, for the documentation. */
	readonly entryForm: string;
	rule(language: Language): EntryRule;
	/** An entry that was kept before the limits were what they are may be beyond them: then it is not used. */
	isUsable(entry: string): boolean;
	/** What is looked for in a text: a correction has several. */
	countForms(entry: string): number;
	/** The first line of a download: one of these. */
	readonly headers: readonly string[];
	header(language: Language): string;
}

interface KindStatuses {
	/** The id's form, `words` that are not a list of strings, or too many of them. */
	readonly malformed: StatusCode;
	readonly missing: StatusCode;
	readonly exists: StatusCode;
	readonly inUse: StatusCode;
}

const writingHeader = "writing";
const readingHeader = "writing,pronunciation,category";

export type WordListKinds = Readonly<Record<ListKind, WordListKind>>;

/** Such an entry was within its limits ever since there are lists. */
const plainEntries = { isUsable: () => true, countForms: () => 1 };

/** @param categories that a Japanese hotword may have (`hotwords.categories`). */
export function wordListKinds(
	categories: readonly string[],
	corrections: CorrectionLimits,
): WordListKinds {
	const withReading = readingRule(categories);
	const correction = correctionRule(corrections);
	return {
		hotwords: {
			...plainEntries,
			kind: "hotwords",
			what: "hotword database",
			path: "/v1/hotwords",
			idParameter: "hotwords_id",
			status: {
				malformed: "210400",
				missing: "210404",
				exists: "210409",
				inUse: "210423",
			},
			idPrefix: "HW",
			reservedIds: [],
			extracts: true,
			entryForm:
				"A word; in Japanese and Japanese-English writing,pronunciation,category.",
			rule: (language) => (isJapanese(language) ? withReading : writingRule),
			headers: [writingHeader, readingHeader],
			header: (language) =>
				isJapanese(language) ? readingHeader : writingHeader,
		},
		"correction-words": {
			kind: "correction-words",
			what: "correction vocabulary",
			path: "/v1/correction-words",
			idParameter: "correction_words_id",
			status: {
				malformed: "211400",
				missing: "211404",
				exists: "211409",
				inUse: "211423",
			},
			idPrefix: "CW",
			reservedIds: ["all"],
			extracts: false,
			entryForm: "wrong,right or wrong1|wrong2,right.",
			rule: () => correction,
			isUsable: (entry) => isWithin(entry, corrections),
			countForms,
			headers: ["wrong,right"],
			header: () => "wrong,right",
		},
		"forbidden-words": {
			...plainEntries,
			kind: "forbidden-words",
			what: "forbidden-word list",
			path: "/v1/forbidden-words",
			idParameter: "forbidden_words_id",
			status: {
				malformed: "212400",
				missing: "212404",
				exists: "212409",
				inUse: "212423",
			},
			idPrefix: "FW",
			reservedIds: ["all"],
			extracts: false,
			entryForm: "A word.",
			rule: () => forbiddenRule,
			headers: ["word"],
			header: () => "word",
		},
	};
}
