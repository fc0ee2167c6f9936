/**
 * Labels a segment of mixed speech with one of its two languages (`enable_lang_label`): the one that carries more of it, a Latin word against a Chinese
 * character or half a Japanese word; or the language that the model detected, if it reports one. A segment is never split for it: the label changes from
 * segment to segment.
 */
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";

/** An English word carries about as much as two characters. */
const charactersAWord = 2;

export function hasLabels(language: Language): boolean {
	return pairOf(language) !== undefined;
}

/**
 * @param detected the language that the model detected: it takes precedence over the text.
 * @param before the label of the previous segment, for a text in neither language ("2026").
 */
export function labelOf(
	text: string,
	language: Language,
	detected: Language | undefined,
	before: Language | undefined,
): Language | undefined {
	const pair = pairOf(language);
	if (!pair) return undefined;
	if (detected && pair.includes(detected)) return detected;
	const [eastern, english] = pair;
	const words =
		text.match(/[\p{Script=Latin}'’-]*\p{Script=Latin}/gu)?.length ?? 0;
	const characters =
		text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu)
			?.length ?? 0;
	if (words === 0 && characters === 0) return before ?? eastern;
	return words * charactersAWord > characters ? english : eastern;
}
