/** Numbers between signs that are said: "one dot two dot three" is 1.2.3, "four one five dash five five five" 415-555, "five slash twelve" 5/12, "q three" Q3. */
import type { Written } from "./dates.js";
import { readLabelNumber } from "./label-number.js";
import { isUnit, smallValue, spokenSigns } from "./number-words.js";
import { wordAt } from "./read-number.js";
import type { Token } from "./tokens.js";

const partsMax = 8;

/** With the same sign between all of them. */
export function readSigned(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	const parts: string[] = [];
	let separator: string | undefined;
	let next = i;
	let end = i;
	while (parts.length < partsMax) {
		const part = readLabelNumber(tokens, next);
		if (!part || !/^\d{1,7}$/.test(part.text) || part.text.endsWith("000"))
			break;
		parts.push(part.text);
		end = part.next;
		const word = wordAt(tokens, part.next) ?? "";
		separator ??= word;
		if (!Object.hasOwn(spokenSigns, separator) || word !== separator) break;
		next = part.next + 1;
		if (!tokens[next]?.joined) break;
	}
	if (separator === undefined || parts.length < 2) return undefined;
	return { next: end, text: parts.join(spokenSigns[separator]) };
}

const notBehindQuarters =
	/^(?:oh|of|hundred|thousand|million|minutes|hours|days|weeks)$/;

/** A quarter of a business year: "q three revenue"; not "q three oh five". */
export function readQuarter(
	tokens: readonly Token[],
	i: number,
): Written | undefined {
	if (tokens[i]?.word !== "q" || tokens[i]?.glued) return undefined;
	const quarter = smallValue(wordAt(tokens, i + 1)) ?? 0;
	if (quarter < 1 || quarter > 4 || isSpelled(tokens, i)) return undefined;
	const after = wordAt(tokens, i + 2) ?? "";
	// "in the q two hours", "q one hundred"
	if (notBehindQuarters.test(after)) return undefined;
	return { next: i + 2, text: `Q${quarter}` };
}

/** One letter or digit of several: "b q two", "q three five". */
function isSpelled(tokens: readonly Token[], i: number): boolean {
	return (
		/^[b-z]$/.test(tokens[i - 1]?.word ?? "") || isUnit(wordAt(tokens, i + 2))
	);
}
