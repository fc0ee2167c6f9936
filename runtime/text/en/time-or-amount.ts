/** Three digits after "at" or "about" are a time, unless the words around them show that they are an amount or an address: "at one twenty kilometers an hour". */
import { isCounted } from "./counted.js";
import { isUnitAt } from "./quantities.js";
import { wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

/** A person is never at a time: "he's about five eleven". */
const person = /^(?:he['’]s|she['’]s|i['’]m)$/;
const lives = /^(?:lives?|lived|living|located|resides?|resided)$/;
const weighs = /^(?:weighs?|weighed|weighing)$/;
const bakes = /^(?:bake|baked|roast|roasted|broil|preheat|preheated|oven)$/;
const measured = /^(?:temperature|fever|weight|speed|oven)$/;
/** Ovens are set in steps of 25 degrees. */
const ovenStep = /^(?:fifty|twenty five)$/;
/** Words before the number in which the verb is looked for. */
const wordsBeforeMax = 6;

/** @param i the first digit. @param next after the last one. */
export function isAmount(
	tokens: readonly Token[],
	i: number,
	next: number,
): boolean {
	if (isUnitAt(tokens, next)) return true;
	const link = tokens[i - 1]?.word ?? "";
	if (!/^(?:at|about|around)$/.test(link)) return false;
	const before = tokens[i - 2]?.word ?? "";
	if (link === "at") {
		if (lives.test(before)) return true;
	} else {
		if (person.test(before)) return true;
		if (isSubject(tokens, i - 3) && /^(?:is|am|was)$/.test(before)) return true;
		if (before !== "at" && isCounted(wordAt(tokens, next) ?? "")) return true;
	}
	if (isMeasured(tokens, i - 2)) return true;
	for (let k = i - 2; k >= Math.max(0, i - wordsBeforeMax); k--) {
		const { word, kind } = tokens[k] as Token;
		if (kind === "mark") break;
		if (weighs.test(word)) return link !== "at" || before === "in"; // "weighed in at"
		if (bakes.test(word) && ovenStep.test(minutesText(tokens, i, next)))
			return true;
	}
	return false;
}

function isSubject(tokens: readonly Token[], i: number): boolean {
	return /^(?:he|she|i)$/.test(tokens[i]?.word ?? "");
}

/** "the temperature is at one oh two". @param i the verb. */
function isMeasured(tokens: readonly Token[], i: number): boolean {
	return (
		/^(?:is|was|reads|stays|stayed)$/.test(tokens[i]?.word ?? "") &&
		measured.test(tokens[i - 1]?.word ?? "")
	);
}

/** The words behind the hour. */
function minutesText(tokens: readonly Token[], i: number, next: number) {
	return tokens
		.slice(i + 1, next)
		.flatMap(({ word, kind }) => (kind === "word" ? [word] : []))
		.join(" ");
}
