/** Capital letters for models that write only one case: LibriSpeech's transcripts are all capitals, many others have none. */
import { endsSentence } from "../../text/marks.js";
import type { MarkStyle } from "../../text/punctuation.js";
import type { WrittenCharacter } from "./transcript.js";

/** The cases of a model's Latin symbols. */
export type LetterCase = "both" | "upper" | "lower";

export function letterCaseOf(symbols: readonly string[]): LetterCase {
	const letters = symbols.filter((it) => !/^<.*>$/u.test(it)).join("");
	const hasUpper = /[A-Z]/.test(letters);
	const hasLower = /[a-z]/.test(letters);
	if (hasUpper === hasLower) return "both";
	return hasUpper ? "upper" : "lower";
}

/** Small letters, but for the first of an English sentence and the word "I". @param sentences whether sentences have their marks */
export function sentenceCase(
	characters: readonly WrittenCharacter[],
	style: MarkStyle,
	sentences: boolean,
): WrittenCharacter[] {
	let begins = style === "en" && sentences;
	return characters.map((character, i) => {
		const { text } = character;
		const isAlone = isWordI(characters, i);
		const isFirst = begins && /\p{L}/u.test(text);
		if (isFirst) begins = false;
		if (style === "en" && sentences && endsSentence(text)) begins = true;
		const written =
			isFirst || isAlone ? text.toUpperCase() : text.toLowerCase();
		return written === text ? character : { ...character, text: written };
	});
}

/** "I", also before an apostrophe. */
function isWordI(characters: readonly WrittenCharacter[], i: number): boolean {
	const at = (place: number) => characters[place]?.text ?? " ";
	return (
		/^i$/i.test(at(i)) &&
		!/[\p{L}\p{N}'’]/u.test(at(i - 1)) &&
		!/[\p{L}\p{N}]/u.test(at(i + 1))
	);
}
