/** Numbers that name something: "chapter two", "room four oh five", "flight twelve thirty four". */
import type { Written } from "./dates.js";
import { smallValue } from "./number-words.js";
import { readNumber, wordAt } from "./read-number.js";
import { readSpelledDigits } from "./spelled-digits.js";
import type { Token } from "./tokens.js";

/** Words before a number that names something. */
const labels = new Set(
	`version versions chapter page room gate flight platform terminal channel route highway interstate exit section figure level grade phase step part
	episode season volume extension apartment suite unit lot bus line building code option item slide seat row aisle zone district
	stage type windows iphone android python track lane bay door pin paragraph verse act scene clause appendix lesson exercise module model number`
		.trim()
		.split(/\s+/),
);
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
	if (label === undefined || !tokens[i]?.joined || !labels.has(label.word))
		return undefined;
	if (label.glued || determiners.has(tokens[i - 2]?.word ?? ""))
		return undefined;
	if (isList(tokens, i)) return undefined;
	const pieces: string[] = [];
	let next = i;
	while (pieces.length < 8) {
		const spelled = readSpelledDigits(tokens, next);
		if (spelled && spelled.groups.length === 1) {
			pieces.push(spelled.digits);
			next = spelled.next;
		} else {
			const number = readNumber(tokens, next);
			if (!number || number.digits) break;
			pieces.push(number.exact ? number.text : String(number.value));
			next = number.next;
		}
		if (wordAt(tokens, next) === undefined) break;
	}
	const text = pieces.join("");
	if (text === "" || (label.word === "number" && text === "1"))
		return undefined;
	if (pieces.length > 1 && pieces.some((it) => !/^\d{1,3}$/.test(it)))
		return undefined;
	return { next, text };
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
