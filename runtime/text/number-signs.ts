/** What stands directly before a number and belongs to it, in every language: the sign of -5, $5 or p=5, and the point of .5. */

/** Signs that are read together with the number behind them. */
const sign = /^[$＄€£¥￥=<>≈≤≥~±+＋−-]$/u;
const signsAtEnd = /[$＄€£¥￥=<>≈≤≥~±+＋−-]+ ?\.?$/u;
const pointAtEnd = /(?<=^|[\s(（])\.$/u;
/** Longer rows are no signs of a number. */
const signsMax = 5;

export function isSignOfNumber(character: string): boolean {
	return sign.test(character);
}

/** Whether a point there may begin a number: what is before it is no part of the number, and no end of a sentence. */
function canLeadNumber(before: string): boolean {
	return before === "" || /^[\s(（]$/u.test(before) || isSignOfNumber(before);
}

/** Whether the digit there is the first of .5, -.5 or $.50. */
export function isLeadingPoint(text: string, at: number): boolean {
	return text[at - 1] === "." && canLeadNumber(text[at - 2] ?? "");
}

/** Start of the signs and the point before a number that begins at `at`, or may follow there. */
export function signsFrom(text: string, at: number): number {
	const before = text.slice(Math.max(0, at - signsMax), at);
	const found = signsAtEnd.exec(before) ?? pointAtEnd.exec(before);
	return at - (found?.[0].length ?? 0);
}
