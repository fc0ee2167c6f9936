/**
 * How much of a growing text may be sent to a client that can only append. Pure.
 */

const wordUnit = /[\p{Script=Latin}\p{N}\p{M}'’]/u;

/**
 * @param shown a text so far.
 * @param agreed what of it is agreed on; written apart from the rest, so it may differ from some place on.
 * @returns UTF-16 units that both begin with, whole words and whole characters only.
 */
export function stableUnits(shown: string, agreed: string): number {
	let end = 0;
	while (end < agreed.length && agreed[end] === shown[end]) end++;
	while (end > 0 && isInside(shown, end)) end--;
	return end;
}

/** Whether a text is cut at this place inside a word or a character. */
function isInside(text: string, at: number): boolean {
	const [before = "", after = ""] = [text[at - 1], text[at]];
	if (after === "") return false;
	if (/[\uDC00-\uDFFF]/.test(after) || /\p{M}/u.test(after)) return true;
	return wordUnit.test(before) && wordUnit.test(after);
}
