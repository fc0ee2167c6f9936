/**
 * What growing texts are compared by: words where letters make words, single characters in Chinese and Japanese, in one case and one width. Marks and
 * spaces belong to what stands before them and never count as a difference. Pure.
 */
export interface Unit {
	readonly body: string;
	/** For comparison: one case, one width. */
	readonly key: string;
	/** Marks and spaces behind it. */
	readonly behind: string;
}

/** A mark or a space belongs to what stands before it. */
const unitPattern =
	/((?:[\p{Script=Latin}\p{N}]+(?:['’.,:-](?=[\p{Script=Latin}\p{N}]))?)+|[^\p{P}\s])((?:\p{P}|\s)*)/gu;

/** Units in a text. */
export function countUnits(text: string): number {
	return unitsOf(text).length;
}

/** What a text says behind another one that it begins with; undefined where it begins otherwise. */
export function textBehind(
	text: string,
	beginning: string,
): string | undefined {
	const units = unitsOf(text);
	const before = unitsOf(beginning);
	return alike(units, before) < before.length
		? undefined
		: written(units.slice(before.length));
}

/** A text that may go on: the next word decides whether a mark stands behind the last one. */
export function withoutLastMarks(text: string): string {
	return text.replace(/[\p{P}\s]+$/u, "");
}

export function unitsOf(text: string): Unit[] {
	return [...text.matchAll(unitPattern)].map(([, body = "", behind = ""]) => ({
		body,
		key: body.normalize("NFKC").toLowerCase(),
		behind,
	}));
}

/** Units that are the same from the start. */
export function alike(some: readonly Unit[], others: readonly Unit[]): number {
	const most = Math.min(some.length, others.length);
	for (let i = 0; i < most; i++) if (some[i]?.key !== others[i]?.key) return i;
	return most;
}

/** The text of units. @param withLastMarks what stands behind the last unit, too. */
export function written(units: readonly Unit[], withLastMarks = false): string {
	const last = units.length - 1;
	return units
		.map(({ body, behind }, i) =>
			i < last || withLastMarks ? body + behind : body,
		)
		.join("");
}
