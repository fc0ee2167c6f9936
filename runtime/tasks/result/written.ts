/**
 * What becomes of a sentence's marks (docs/decisions.md section 8): kept where punctuation was asked for; otherwise taken out, and in Chinese and Japanese
 * subtitles a space stands where a mark divided words, as subtitlers write.
 */
import { isSpaced, type Language, markStyleOf } from "../../text/languages.js";
import { isMark, spellMarks } from "../../text/punctuation.js";
import type { FileOptions } from "../file-options.js";

/** Marks that divide words; brackets and quotes stand closer. */
const divides = /^[，。、；：！？…—―–・,.;:!?～〜]$/u;

export type Style = Pick<FileOptions, "output" | "punctuation" | "language">;

/** @param text of one sentence. @returns how each of its characters (code points) is written; "" where it is not. */
export function writtenCharacters(text: string, style: Style): string[] {
	const characters = [...text];
	if (style.punctuation) return characters;
	const spelled = spellMarks(characters, markStyleOf(style.language), false);
	if (style.output !== "subtitle") return spelled;
	return spelled.map((written, i) => {
		const character = characters[i] as string;
		const isGone = written === "" && isMark(character);
		return isGone && divides.test(character) ? " " : written;
	});
}

/** @param written as `writtenCharacters` gives it, or a part of that. */
export function joinWritten(written: readonly string[]): string {
	return written.join("").replace(/\s+/gu, " ").trim();
}

/** Languages in which a character counts as much as a word elsewhere. */
export function isByCharacter(language: Language): boolean {
	return !isSpaced(language);
}
