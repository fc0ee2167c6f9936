/** Parses entries of correction vocabularies, and the rules for accepting them (docs/decisions.md section 6). */
import type { EntryRule } from "./entry.js";
import {
	columnsOf,
	dropped,
	exceedsBytes,
	isPunctuation,
	isTooLong,
	isUnwritable,
	kept,
	ruleWithin,
	type Verdict,
} from "./entry.js";
import { writingRule } from "./hotword.js";

/** The rule for forbidden words: plain words, as for hotwords without a pronunciation (docs/decisions.md section 6). */
export const forbiddenRule: EntryRule = writingRule;

export interface Correction {
	/** Each of these is replaced with `right`. */
	readonly wrong: readonly string[];
	readonly right: string;
}

/** @param entry that passed the rules: `wrong,right` or `wrong1|wrong2,right`. */
export function parseCorrection(entry: string): Correction {
	const comma = entry.indexOf(",");
	return {
		wrong: alternatives(entry.slice(0, comma)),
		right: entry.slice(comma + 1).trim(),
	};
}

/** Limits of one correction (`limits` of the configuration). */
export interface CorrectionLimits {
	/** Of the whole entry, in UTF-8. */
	readonly bytesMax: number;
	readonly wrongFormsMax: number;
}

export function correctionLimits(configured: {
	readonly correction_bytes_max: number;
	readonly correction_wrong_forms_max: number;
}): CorrectionLimits {
	return {
		bytesMax: configured.correction_bytes_max,
		wrongFormsMax: configured.correction_wrong_forms_max,
	};
}

/** Each wrong form and the right one have the length limit of a hotword. */
export function correctionRule({
	bytesMax,
	wrongFormsMax,
}: CorrectionLimits): EntryRule {
	return ruleWithin(bytesMax, (given) => judge(given, wrongFormsMax));
}

function judge(given: string, wrongFormsMax: number): Verdict {
	const columns = columnsOf(given);
	if (isUnwritable(given.trim()))
		return dropped("with emoji or control characters");
	if (columns.every((it) => it === "")) return dropped("empty");
	if (columns.length > 2) return dropped("with too many columns");
	const [left = "", right = ""] = columns;
	const wrong = alternatives(left);
	if (wrong.length === 0 || right === "")
		return dropped("with too few columns");
	const forms = [...wrong, right];
	if (forms.every(isPunctuation)) return dropped("only punctuation");
	if (forms.some(isTooLong)) return dropped("too long");
	if (wrong.length > wrongFormsMax) return dropped("with too many wrong forms");
	return kept(`${wrong.join("|")},${right}`);
}

/** The number of wrong forms, without parsing them; empty ones are counted, too. */
export function countForms(entry: string): number {
	let count = 1;
	for (let at = entry.indexOf("|"); at >= 0; at = entry.indexOf("|", at + 1))
		count++;
	return count;
}

/** False for entries stored before there were limits, or under other limits, that exceed the present ones. */
export function isWithin(
	entry: string,
	{ bytesMax, wrongFormsMax }: CorrectionLimits,
): boolean {
	return !exceedsBytes(entry, bytesMax) && countForms(entry) <= wrongFormsMax;
}

function alternatives(left: string): string[] {
	return left
		.split("|")
		.map((it) => it.trim())
		.filter((it) => it !== "");
}
