/** Parses entries of hotword databases, and the rules for accepting them (docs/interface.md sections 2.2 and 4.1, docs/decisions.md sections 5 and 11). */
import {
	columnsOf,
	dropped,
	type EntryRule,
	isPunctuation,
	isTooLong,
	isUnwritable,
	kept,
	ruleWithin,
} from "./entry.js";

export interface Hotword {
	readonly writing: string;
	/** Hiragana or full-width katakana. */
	readonly reading?: string;
	readonly category?: string;
}

/** @param entry that passed the rules: `writing`, or `writing,reading,category`. */
export function parseHotword(entry: string): Hotword {
	const [writing = "", reading, category] = entry
		.split(",")
		.map((it) => it.trim());
	return {
		writing,
		...(reading === undefined ? {} : { reading }),
		...(category === undefined ? {} : { category }),
	};
}

/**
 * Hiragana and full-width katakana with their length and repetition marks, and the dot between the parts of a foreign name. Tested before NFKC,
 * which would turn half-width kana into full-width; only separate voicing marks are composed (NFC).
 */
const kana =
	/^[\u3041-\u3096\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff]*[\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff][\u3041-\u3096\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff]*$/u;

/** Room for three columns of 30 characters of any kind, and spaces around them. */
const entryBytesMax = 1024;

/** For languages without a pronunciation column: English, Chinese, Chinese-English. */
export const writingRule: EntryRule = ruleWithin(entryBytesMax, (given) => {
	const entry = given.trim();
	if (isUnwritable(entry)) return dropped("with emoji or control characters");
	if (entry === "") return dropped("empty");
	if (isPunctuation(entry)) return dropped("only punctuation");
	if (entry.includes(",")) return dropped("with too many columns");
	return isTooLong(entry) ? dropped("too long") : kept(entry);
});

/** For Japanese and Japanese-English: `writing,pronunciation,category`. @param categories allowed ones. */
export function readingRule(categories: readonly string[]): EntryRule {
	const allowed: ReadonlySet<string> = new Set(categories);
	return ruleWithin(entryBytesMax, (given) => {
		const columns = columnsOf(given);
		const [writing = "", reading = "", category = ""] = columns;
		if (isUnwritable(given.trim()))
			return dropped("with emoji or control characters");
		if (columns.every((it) => it === "")) return dropped("empty");
		if (columns.length < 3) return dropped("with too few columns");
		if (columns.length > 3) return dropped("with too many columns");
		if (writing === "" || reading === "" || category === "")
			return dropped("with too few columns");
		if (!allowed.has(category)) return dropped("with an unknown category");
		// the pronunciation counts, too: it is pronounced
		if (isPunctuation(columns.join(""))) return dropped("only punctuation");
		if (isTooLong(writing) || isTooLong(reading)) return dropped("too long");
		if (!kana.test(reading.normalize("NFC")))
			return dropped("with a pronunciation that is not kana");
		return kept(columns.join(","));
	});
}

/** For the hotwords of one request, which may be plain words in Japanese, too (docs/decisions.md section 5). */
export function eitherRule(categories: readonly string[]): EntryRule {
	const withReading = readingRule(categories);
	return (given) =>
		given.includes(",") ? withReading(given) : writingRule(given);
}
