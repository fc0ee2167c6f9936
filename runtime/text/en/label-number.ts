/** The number behind a label, of an address or between spoken signs, in which pieces are said one after another: "four oh five", "twelve thirty four". */
import type { Written } from "./dates.js";
import { readNumber, wordAt } from "./read-number.js";
import { readSpelledDigits } from "./spelled-digits.js";
import type { Token } from "./tokens.js";

export interface LabelNumber extends Written {
	/** How many numbers were said. */
	readonly pieces: number;
}

/** @returns undefined where the pieces are no digits that belong together. */
export function readLabelNumber(
	tokens: readonly Token[],
	i: number,
): LabelNumber | undefined {
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
	if (pieces.length > 1 && pieces.some((it) => !/^\d{1,3}$/.test(it)))
		return undefined;
	const text = pieces.join("");
	return text === "" ? undefined : { next, text, pieces: pieces.length };
}
