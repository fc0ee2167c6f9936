/** What an entry of a correction vocabulary says (decisions.md section 6). */
export interface Correction {
	/** Each of them is written as `right`. */
	readonly wrong: readonly string[];
	readonly right: string;
}

/** @param entry that passed the rules: `wrong,right` or `wrong1|wrong2,right`. */
export function parseCorrection(entry: string): Correction {
	const comma = entry.indexOf(",");
	return {
		wrong: entry
			.slice(0, comma)
			.split("|")
			.map((it) => it.trim())
			.filter((it) => it !== ""),
		right: entry.slice(comma + 1).trim(),
	};
}
