/**
 * How the marks of a sentence are written (docs/decisions.md section 8): kept with punctuation; otherwise removed, and in Chinese and Japanese subtitles
 * replaced by a space where they separate words, as is usual in subtitles.
 */
import { markStyleOf } from "../../text/languages.js";
import { isMark } from "../../text/marks.js";
import { spellMarks } from "../../text/punctuation.js";
import type { FileOptions } from "../file-options.js";

/** Marks that separate words; brackets and quotes do not. */
const divides = /^[，。、；：！？…—―–・,.;:!?～〜]$/u;

export type Style = Pick<FileOptions, "output" | "punctuation" | "language">;

/** @param text of one sentence. @returns how each of its characters (code points) is written; "" where it is omitted. */
export function writtenCharacters(text: string, style: Style): string[] {
	const characters = [...text];
	if (style.punctuation) return characters;
	const spelled = spellMarks(characters, markStyleOf(style.language), false);
	if (style.output !== "subtitle") return spelled;
	return spelled.map((written, i) => {
		const character = characters[i] as string;
		const isRemoved = written === "" && isMark(character);
		return isRemoved && divides.test(character) ? " " : written;
	});
}

/** @param written result of `writtenCharacters`, or a part of it. */
export function joinWritten(written: readonly string[]): string {
	return written.join("").replace(/\s+/gu, " ").trim();
}
