/**
 * Joins the texts of successive segments (docs/decisions.md section 4): with a space for English, without one for Chinese and Japanese,
 * unless a word in Latin letters follows another (a model may write pinyin); in mixed speech a space only where Latin script meets Latin script.
 */
import { isSpaced, type Language, pairOf } from "../text/languages.js";

type Join = "space" | "by-letter" | "by-script";

function joinOf(language: Language): Join {
	if (pairOf(language)) return "by-script";
	return isSpaced(language) ? "space" : "by-letter";
}

/** Printable ASCII or a Latin letter at the end of a text, including closing marks. */
const latinEnd = /[\x21-\x7e\u00c0-\u024f]$/;
/** What may follow a space at the start of a text: a letter or a digit, perhaps after an opening mark. */
const latinStart = /^["'(]?[0-9A-Za-z\u00c0-\u024f]/;

/** A Latin letter, perhaps with tone marks, at the end of a text, and at its start. */
const letterEnd = /\p{Script=Latin}\p{M}*$/u;
const letterStart = /^\p{Script=Latin}/u;

export function joinTexts(
	texts: readonly string[],
	language: Language,
): string {
	const join = joinOf(language);
	let joined = "";
	let before = ""; // not all of `joined`: hours of text would be searched again for each sentence
	for (const text of texts) {
		const next = text.trim();
		if (next === "") continue;
		joined += separator(before, next, join) + next;
		before = next;
	}
	return joined;
}

function separator(before: string, after: string, join: Join): string {
	if (before === "") return "";
	if (join === "space") return " ";
	if (join === "by-letter")
		return letterEnd.test(before) && letterStart.test(after) ? " " : "";
	return latinEnd.test(before) && latinStart.test(after) ? " " : "";
}
