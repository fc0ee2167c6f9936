/**
 * What the rules of every kind of entry share (docs/interface.md section 4.1, docs/decisions.md sections 5 and 11): the verdict on one entry, and the tests
 * that all make. Characters are code points; what looks equal (NFKC) is equal.
 *
 * INVARIANT: an entry costs no more than its limit allows, whatever is in it. Its length comes before anything else (`ruleWithin`), and what is normalised
 * is short: NFKC of unordered combining marks takes time with the square of their number.
 */

/** Why an entry is not taken, as it is counted in an answer: "2 too long". */
export type DropReason =
	| "empty"
	| "duplicate"
	| "too long"
	| "with too few columns"
	| "with too many columns"
	| "with too many wrong forms"
	| "only punctuation"
	| "with emoji or control characters"
	| "with an unknown category"
	| "with a pronunciation that is not kana";

export type Verdict =
	/** As it is kept: columns trimmed. */
	{ readonly entry: string } | { readonly dropped: DropReason };

/** Of one kind of entry; pure. */
export type EntryRule = (given: string) => Verdict;

/** Of a writing, a pronunciation, a word. */
const charactersMax = 30;
/** UTF-16 units that are normalised to see what an entry is: three columns that are as long as they may be have room in them. */
const judgedUnitsMax = 256;
/** UTF-16 units that are normalised to see which entries are equal; some 2 ms at the worst. */
const keyUnitsMax = 4096;

export function kept(entry: string): Verdict {
	return { entry };
}

export function dropped(why: DropReason): Verdict {
	return { dropped: why };
}

/** @param bytesMax of an entry in UTF-8: nothing else of a longer one is looked at. */
export function ruleWithin(bytesMax: number, rule: EntryRule): EntryRule {
	return (given) =>
		isLonger(given, bytesMax) ? dropped("too long") : rule(given);
}

/** In UTF-8; counted only where the UTF-16 units leave it open. */
export function isLonger(text: string, bytesMax: number): boolean {
	if (text.length > bytesMax) return true;
	return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax;
}

/** Two entries with the same key are one. What is longer than entries usually may be is only equal to itself. */
export function keyOf(entry: string): string {
	const isShort = entry.length <= keyUnitsMax;
	return (isShort ? entry.normalize("NFKC") : entry).trim();
}

export function columnsOf(given: string): string[] {
	return given.split(",").map((it) => it.trim());
}

export function isTooLong(text: string): boolean {
	if (text.length <= charactersMax) return false; // UTF-16 units are never fewer
	return text.length > 2 * charactersMax || [...text].length > charactersMax;
}

/** \p{P} counts these, but people write words with them: C#, R&D, 50%, @home, §5. */
const wordMarks = /[#%&*@§]/u;
const marksOnly = /^[\p{P}\p{M}\s]+$/u;

/** Nothing in it is said aloud. "#" and "+" stay. What is too long for any entry is not looked at. */
export function isPunctuation(text: string): boolean {
	if (text.length > judgedUnitsMax) return false;
	const plain = text.normalize("NFKC");
	return marksOnly.test(plain) && !wordMarks.test(plain);
}

/**
 * Control and format characters (zero width, direction), line separators, halves of surrogate pairs, and pictures: whatever is one
 * by itself, is made one by a selector, or is a symbol that most programs draw as one. ©, ™, ★ and ♪ are none.
 */
const unwritable =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Emoji_Presentation}\p{Regional_Indicator}\u{1f000}-\u{1faff}]|\u{fe0f}|\u{20e3}|(?=[\u{2600}-\u{27bf}])\p{Emoji}/u;

export function isUnwritable(text: string): boolean {
	return unwritable.test(text);
}
