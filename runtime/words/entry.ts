/**
 * Shared by the rules of all kinds of entries (docs/interface.md section 4.1, docs/decisions.md sections 5 and 11): the verdict on one entry, and common
 * tests. Characters are code points; entries with the same NFKC form are equal.
 *
 * INVARIANT: checking an entry costs no more than its limit allows, whatever it contains. Its length is checked first (`ruleWithin`), and only short text
 * is normalized: NFKC of unordered combining marks takes time quadratic in their number.
 */

/** Why an entry is dropped, in the words of the response: "2 too long". */
export const dropReasons = [
	"empty",
	"duplicate",
	"too long",
	"with too few columns",
	"with too many columns",
	"with too many wrong forms",
	"only punctuation",
	"with emoji or control characters",
	"with an unknown category",
	"with a pronunciation that is not kana",
] as const;
export type DropReason = (typeof dropReasons)[number];

export type Verdict =
	/** As stored: columns trimmed. */
	{ readonly entry: string } | { readonly dropped: DropReason };

/** The rule for one kind of entry; pure. */
export type EntryRule = (given: string) => Verdict;

/** Of a writing, a pronunciation, a word. */
const charactersMax = 30;
/** UTF-16 units up to which an entry is normalized to be checked: room for three columns of maximum length. */
const judgedUnitsMax = 256;
/** UTF-16 units up to which an entry is normalized to be compared; about 2 ms at worst. */
const keyUnitsMax = 4096;

export function kept(entry: string): Verdict {
	return { entry };
}

export function dropped(why: DropReason): Verdict {
	return { dropped: why };
}

/** @param bytesMax of an entry in UTF-8: a longer one is dropped without looking at it further. */
export function ruleWithin(bytesMax: number, rule: EntryRule): EntryRule {
	return (given) =>
		exceedsBytes(given, bytesMax) ? dropped("too long") : rule(given);
}

/** In UTF-8; counted only if the UTF-16 length does not decide it. */
export function exceedsBytes(text: string, bytesMax: number): boolean {
	if (text.length > bytesMax) return true;
	return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax;
}

/** Entries with the same key are duplicates. Unusually long text is only equal to itself. */
export function keyOf(entry: string): string {
	const isShort = entry.length <= keyUnitsMax;
	return (isShort ? entry.normalize("NFKC") : entry).trim();
}

export function columnsOf(given: string): string[] {
	return given.split(",").map((it) => it.trim());
}

/** In code points, which are only counted if the UTF-16 length does not decide it. */
export function exceedsCharacters(text: string, most: number): boolean {
	if (text.length <= most) return false;
	if (text.length > 2 * most) return true;
	let characters = 0;
	for (const _ of text) characters++;
	return characters > most;
}

export function isTooLong(text: string): boolean {
	return exceedsCharacters(text, charactersMax);
}

/** \p{P} includes these, but people write words with them: C#, R&D, 50%, @home, §5. */
const wordMarks = /[#%&*@§]/u;
const marksOnly = /^[\p{P}\p{M}\s]+$/u;

/** Nothing in it is pronounced. "#" and "+" do not count as punctuation. Text too long for any entry is not checked. */
export function isPunctuation(text: string): boolean {
	if (text.length > judgedUnitsMax) return false;
	const plain = text.normalize("NFKC");
	return marksOnly.test(plain) && !wordMarks.test(plain);
}

/**
 * Control and format characters (zero width, direction), line separators, lone surrogates, and emoji: characters that are emoji
 * on their own or with a variation selector, or symbols that most programs draw as emoji. ©, ™, ★ and ♪ are allowed.
 */
const unwritable =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Emoji_Presentation}\p{Regional_Indicator}\u{1f000}-\u{1faff}]|\u{fe0f}|\u{20e3}|(?=[\u{2600}-\u{27bf}])\p{Emoji}/u;

export function isUnwritable(text: string): boolean {
	return unwritable.test(text);
}
