/** What stands before or behind a number, for the decisions whether it is written in digits. */
import { isNumeral } from "./numerals.js";
import { countingAt } from "./units.js";

/** After an operator or comparison. */
export const operatorBefore =
	/[零〇一幺二两三四五六七八九十百千万亿\d](?:[比加减乘]|乘以|除以|等于)$/;
/** The second end of a range. */
export const rangeBefore =
	/[零〇一幺二两三四五六七八九十百千万亿\d%个天年][到至~～]$/;

/** A Latin word before the number, possibly with a space between. */
export function endsLatin(before: string): boolean {
	return /[A-Za-z][ ·]?$/.test(before);
}

/** Whether 月, 号 or 日 follows. */
export function isDay(after: string): boolean {
	return /^(?:月|号|日)/.test(after);
}

/** A digit after a unit may belong to what follows: 三块五个. */
export function belongsToNext(after: string): boolean {
	return (
		isNumeral(after[0]) ||
		countingAt(after, 0, "") !== "none" ||
		/^[几多点月号日分钟折级成]/.test(after)
	);
}
