/** Numbers that name something: "chapter two", "room four oh five", "flight twelve thirty four". */
import { isCounted } from "./counted.js";
import type { Written } from "./dates.js";
import { type LabelNumber, readLabelNumber } from "./label-number.js";
import { smallValue } from "./number-words.js";
import { numberContinues, readTwo, wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

/** Words before a number that names something. */
const labels = new Set(
	`version versions chapter page room gate flight platform terminal channel route highway interstate exit section figure level grade phase step part
	episode season volume extension apartment suite unit lot bus line building code option item slide seat row aisle zone district
	stage type windows iphone android python track lane bay door pin paragraph verse act scene clause appendix lesson exercise module model number`
		.trim()
		.split(/\s+/),
);
/** Numbered places whose name is also a verb or counts something: "counter two", not "to counter two arguments". */
const places = new Set("counter window booth desk table article".split(" "));
/** Before a verb: "we can table two". */
const subjects =
	/^(?:i|you|we|they|us|me|can|could|should|would|will|must|may|might)$/;
/** Words before a label that make what follows a quantity or a separate phrase: "the next gate two". */
const determiners = new Set(
	"a an the this that these those my your his her its our their each every no one another next last of".split(
		" ",
	),
);

export function readLabelled(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const label = tokens[i - 1];
	if (label === undefined || !tokens[i]?.joined || !isLabel(label.word))
		return undefined;
	if (label.glued || determiners.has(tokens[i - 2]?.word ?? ""))
		return undefined;
	if (isList(tokens, i)) return undefined;
	const number = readLabelNumber(tokens, i);
	if (!number || (label.word === "number" && number.text === "1"))
		return undefined;
	if (places.has(label.word) && isVerbOrPronoun(tokens, i, number))
		return undefined;
	if (label.word === "boeing" && !/^7\d7$/.test(number.text)) return undefined;
	const total = readTotal(tokens, number.next);
	return total
		? { next: total.next, text: `${number.text} of ${total.value}` }
		: { next: number.next, text: number.text };
}

/** "to counter two arguments", "let us table one more item", "put it on the table one day". @param i the number. */
function isVerbOrPronoun(
	tokens: readonly Token[],
	i: number,
	{ next, text }: LabelNumber,
): boolean {
	const after = wordAt(tokens, next) ?? "";
	if (isCounted(after) || /^(?:of|more|other|for)$/.test(after)) return true;
	if (subjects.test(tokens[i - 2]?.word ?? "")) return true;
	return text === "1" && after !== "" && !/^(?:please|and|or|is)$/.test(after);
}

/** The rest of "step two of five"; not of "page two of three books". */
function readTotal(tokens: readonly Token[], i: number) {
	if (wordAt(tokens, i) !== "of" || wordAt(tokens, i + 1) === undefined)
		return undefined;
	const total = readTwo(tokens, i + 1);
	if (!total || total.value < 2 || numberContinues(tokens, total.next))
		return undefined;
	const after = wordAt(tokens, total.next) ?? "";
	return isCounted(after) || after === "hundred" ? undefined : total;
}

function isLabel(word: string): boolean {
	return labels.has(word) || places.has(word) || word === "boeing";
}

/** "page one two and three": numbers that count up to the last of a list are separate ones; "room four oh five and six" is one and another. */
function isList(tokens: readonly Token[], i: number): boolean {
	let last = countAt(tokens, i);
	let next = i;
	while (last !== undefined && countAt(tokens, next + 1) === last + 1) {
		last++;
		next++;
	}
	if (last === undefined || next === i) return false;
	const link = wordAt(tokens, next + 1);
	return (
		(link === "and" || link === "or") && countAt(tokens, next + 2) === last + 1
	);
}

/** A number below twenty in a word, or one that is in digits already. */
function countAt(tokens: readonly Token[], i: number): number | undefined {
	const word = wordAt(tokens, i);
	return word !== undefined && /^\d{1,2}$/.test(word)
		? Number(word)
		: smallValue(word);
}
