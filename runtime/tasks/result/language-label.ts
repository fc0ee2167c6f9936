/**
 * Which of two languages a segment of mixed speech is in (`enable_lang_label`): the one that says more of it, a Latin word against a Chinese character or
 * half a Japanese word; or the one that the model says it heard, where it says so. A segment is never cut for it: the label changes where the language does.
 */
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";

/** An English word says about as much as two characters. */
const charactersAWord = 2;

export function hasLabels(language: Language): boolean {
	return pairOf(language) !== undefined;
}

/**
 * @param heard the language that the model says it heard: it goes before what is written.
 * @param before the label of the segment before, for one that says nothing of its own ("2026").
 */
export function labelOf(
	text: string,
	language: Language,
	heard: Language | undefined,
	before: Language | undefined,
): Language | undefined {
	const pair = pairOf(language);
	if (!pair) return undefined;
	if (heard && pair.includes(heard)) return heard;
	const [eastern, english] = pair;
	const words =
		text.match(/[\p{Script=Latin}'’-]*\p{Script=Latin}/gu)?.length ?? 0;
	const characters =
		text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu)
			?.length ?? 0;
	if (words === 0 && characters === 0) return before ?? eastern;
	return words * charactersAWord > characters ? english : eastern;
}
