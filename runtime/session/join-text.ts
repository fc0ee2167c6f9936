/**
 * How the texts of successive segments become one (docs/decisions.md section 4): a space for English, nothing for Chinese and Japanese;
 * in mixed speech a space only where Latin script meets Latin script.
 */
import type { Language } from "../models/recognizer.js";

type Join = "space" | "nothing" | "by-script";

const joins: Readonly<Record<Language, Join>> = {
	"en-US": "space",
	"ja-JP": "nothing",
	"zh-cmn-Hans-CN": "nothing",
	"ja-JP-en-US": "by-script",
	"zh-cmn-Hans-CN-en-US": "by-script",
};

/** Printable ASCII at the end of a text, closing marks of a sentence included. */
const latinEnd = /[\x21-\x7e\u00c0-\u024f]$/;
/** What may follow a space at the start of a text: a letter or a digit, perhaps behind an opening mark. */
const latinStart = /^["'(]?[0-9A-Za-z\u00c0-\u024f]/;

export function joinTexts(
	texts: readonly string[],
	language: Language,
): string {
	let joined = "";
	for (const text of texts) {
		const next = text.trim();
		if (next === "") continue;
		joined += separator(joined, next, joins[language]) + next;
	}
	return joined;
}

function separator(before: string, after: string, join: Join): string {
	if (before === "") return "";
	if (join === "space") return " ";
	if (join === "nothing") return "";
	return latinEnd.test(before) && latinStart.test(after) ? " " : "";
}
