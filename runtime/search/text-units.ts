/**
 * Units for the comparison of growing texts: words where letters make words, single characters in Chinese and Japanese, normalised in case and width. Marks
 * and spaces belong to the unit before them and never count as a difference. Pure.
 */
export interface Unit {
	readonly body: string;
	/** For comparison: normalised in case and width. */
	readonly key: string;
	/** Marks and spaces after it. */
	readonly trailing: string;
}

/** Groups: the unit, and the marks and spaces after it. */
const unitPattern =
	/((?:[\p{Script=Latin}\p{N}]+(?:['’.,:-](?=[\p{Script=Latin}\p{N}]))?)+|[^\p{P}\s])((?:\p{P}|\s)*)/gu;

/** Number of units in a text. */
export function countUnits(text: string): number {
	return unitsOf(text).length;
}

/** The rest of a text after its beginning; undefined where it begins differently. */
export function textAfter(text: string, beginning: string): string | undefined {
	const units = unitsOf(text);
	const before = unitsOf(beginning);
	return alike(units, before) < before.length
		? undefined
		: written(units.slice(before.length));
}

/** Removes marks at the end of a text that may continue: the next word decides whether there is a mark. */
export function withoutLastMarks(text: string): string {
	return text.replace(/[\p{P}\s]+$/u, "");
}

export function unitsOf(text: string): Unit[] {
	return [...text.matchAll(unitPattern)].map(
		([, body = "", trailing = ""]) => ({
			body,
			key: body.normalize("NFKC").toLowerCase(),
			trailing,
		}),
	);
}

/** Number of equal units from the start. */
export function alike(some: readonly Unit[], others: readonly Unit[]): number {
	const most = Math.min(some.length, others.length);
	for (let i = 0; i < most; i++) if (some[i]?.key !== others[i]?.key) return i;
	return most;
}

/** The text of units. @param withLastMarks include marks after the last unit. */
export function written(units: readonly Unit[], withLastMarks = false): string {
	const last = units.length - 1;
	return units
		.map(({ body, trailing }, i) =>
			i < last || withLastMarks ? body + trailing : body,
		)
		.join("");
}
