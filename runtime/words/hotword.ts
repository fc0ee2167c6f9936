/** What an entry of a hotword database says, and which entries are taken (docs/interface.md sections 2.2 and 4.1, docs/decisions.md sections 5 and 11). */
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
 * Hiragana and full-width katakana with their marks of length and repetition, and the dot between the parts of a foreign name. Tested before NFKC,
 * which would make full-width ones of half-width ones; only the marks of a voiced sound may stand apart (NFC).
 */
const kana =
	/^[\u3041-\u3096\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff]*[\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff][\u3041-\u3096\u309d\u309e\u30a1-\u30ff\u31f0-\u31ff]*$/u;

/** Room for three columns of 30 characters, whatever these are, and spaces around them. */
const entryBytesMax = 1024;

/** Of languages that are written as they are: English, Chinese, Chinese-English. */
export const writingRule: EntryRule = ruleWithin(entryBytesMax, (given) => {
	const entry = given.trim();
	if (isUnwritable(entry)) return dropped("with emoji or control characters");
	if (entry === "") return dropped("empty");
	if (isPunctuation(entry)) return dropped("only punctuation");
	if (entry.includes(",")) return dropped("with too many columns");
	return isTooLong(entry) ? dropped("too long") : kept(entry);
});

/** Japanese, Japanese-English: `writing,pronunciation,category`. @param categories that are allowed. */
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
		// the pronunciation is part of the entry, and is said aloud
		if (isPunctuation(columns.join(""))) return dropped("only punctuation");
		if (isTooLong(writing) || isTooLong(reading)) return dropped("too long");
		if (!kana.test(reading.normalize("NFC")))
			return dropped("with a pronunciation that is not kana");
		return kept(columns.join(","));
	});
}

/** Of the hotwords of one request, where plain words are good in Japanese, too (docs/decisions.md section 5). */
export function eitherRule(categories: readonly string[]): EntryRule {
	const withReading = readingRule(categories);
	return (given) =>
		given.includes(",") ? withReading(given) : writingRule(given);
}
