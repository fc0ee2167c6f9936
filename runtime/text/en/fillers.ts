/**
 * English fillers: uh, um, er, hmm; "you know" and "I mean" if commas or the sentence's edges set them off. ER and UM in capitals are names, "uh-huh"
 * and "mm-hmm" are answers.
 */
import type { Span } from "../language-rules.js";

const word = /[\p{L}\p{M}\p{N}'’]+/gu;
const sound = /^(?:u+h+m*|u+m+|er|er{3,}|h+m+|m{2,}|e+r+m+|a+h+m+)$/i;
/** In capitals they are abbreviations. */
const initials = /^[A-Z]{2,}$/;
const phrases: readonly (readonly [string, string])[] = [
	["you", "know"],
	["i", "mean"],
];

export function findFillers(text: string): Span[] {
	const fillers: Span[] = [];
	let before: RegExpExecArray | undefined;
	word.lastIndex = 0;
	for (const found of text.matchAll(word)) {
		const [matched] = found;
		const from = found.index;
		if (isSound(text, matched, from))
			fillers.push({ from, to: from + matched.length });
		else if (before && isPhrase(text, before, found))
			fillers.push({ from: before.index, to: from + matched.length });
		before = found;
	}
	return fillers;
}

function isSound(text: string, matched: string, from: number): boolean {
	if (!sound.test(matched) || initials.test(matched)) return false;
	// millimetres: 5 mm
	if (
		/^mm$/i.test(matched) &&
		/\d\s?$/.test(text.slice(Math.max(0, from - 2), from))
	)
		return false;
	const joins = /[-‐_@/.]/;
	const before = text[from - 1] ?? "";
	const after = text[from + matched.length] ?? "";
	const beyond = text[from + matched.length + 1] ?? "";
	if (joins.test(before) && /[\p{L}\p{N}]/u.test(text[from - 2] ?? ""))
		return false;
	return !(joins.test(after) && /[\p{L}\p{N}]/u.test(beyond));
}

/** Set off on both sides, at least on one of them by a comma. */
function isPhrase(
	text: string,
	first: RegExpExecArray,
	second: RegExpExecArray,
): boolean {
	const [a, b] = [first[0].toLowerCase(), second[0].toLowerCase()];
	if (!phrases.some(([x, y]) => x === a && y === b)) return false;
	const gap = text.slice(first.index + first[0].length, second.index);
	if (!/^\s{1,3}$/.test(gap)) return false;
	const before = /(^|[,.;:?!…—–、。，！？-])\s{0,3}$/.exec(
		text.slice(Math.max(0, first.index - 4), first.index),
	);
	const end = second.index + second[0].length;
	const after = /^\s{0,3}($|[,.;:?!…—–、。，！？-])/.exec(
		text.slice(end, end + 4),
	);
	const startsText =
		first.index <= 3 && text.slice(0, first.index).trim() === "";
	if (!(before || startsText) || !after) return false;
	if (first.index > 3 && before?.[1] === "") return false;
	return before?.[1] === "," || after[1] === ",";
}
