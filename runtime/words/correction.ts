/** What an entry of a correction vocabulary says, and which entries are taken (decisions.md section 6). */
import {
	columnsOf,
	dropped,
	type EntryRule,
	isPunctuation,
	isTooLong,
	isUnwritable,
	kept,
} from "./entry.js";

export interface Correction {
	/** Each of them is written as `right`. */
	readonly wrong: readonly string[];
	readonly right: string;
}

/** @param entry that passed the rules: `wrong,right` or `wrong1|wrong2,right`. */
export function parseCorrection(entry: string): Correction {
	const comma = entry.indexOf(",");
	return {
		wrong: alternatives(entry.slice(0, comma)),
		right: entry.slice(comma + 1).trim(),
	};
}

/** Each wrong form and the right one obey the limit of a hotword. */
export const correctionRule: EntryRule = (given) => {
	const columns = columnsOf(given);
	if (isUnwritable(given.trim()))
		return dropped("with emoji or control characters");
	if (columns.every((it) => it === "")) return dropped("empty");
	if (columns.length > 2) return dropped("with too many columns");
	const [left = "", right = ""] = columns;
	const wrong = alternatives(left);
	if (wrong.length === 0 || right === "")
		return dropped("with too few columns");
	if (isPunctuation([...wrong, right].join("")))
		return dropped("only punctuation");
	if ([...wrong, right].some(isTooLong)) return dropped("too long");
	return kept(`${wrong.join("|")},${right}`);
};

function alternatives(left: string): string[] {
	return left
		.split("|")
		.map((it) => it.trim())
		.filter((it) => it !== "");
}
