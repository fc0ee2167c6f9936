/**
 * How Chinese characters are read, without tones, one syllable a character, in the reading that the words round it give it. The only file that touches
 * pinyin-pro.
 */
import { pinyin } from "pinyin-pro";

const han = /\p{Script=Han}+/gu;

/** @returns for each character its syllable (`nü` as `nv`), or undefined where it has none. */
export function syllablesOf(
	characters: readonly string[],
): (string | undefined)[] {
	const syllables: (string | undefined)[] = characters.map(() => undefined);
	const text = characters.map((it) => (it.length === 1 ? it : " ")).join("");
	if (text.length !== characters.length) return syllables;
	for (const { 0: run, index } of text.matchAll(han)) {
		const read = pinyin(run, { toneType: "none", type: "array", v: true });
		if (read.length !== run.length) continue;
		read.forEach((syllable, i) => {
			if (/^[a-z]+$/.test(syllable)) syllables[index + i] = syllable;
		});
	}
	return syllables;
}

/** A text as it is read, with tones, syllables apart: `nǐ hǎo`. What is not Chinese stays as it is. */
export function syllablesWithTones(text: string): string {
	return pinyin(text, { toneType: "symbol", nonZh: "consecutive" });
}
