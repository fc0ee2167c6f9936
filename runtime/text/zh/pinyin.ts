/**
 * Pinyin of Chinese characters, without tones, one syllable per character, in the reading that fits the surrounding words. The only file that uses
 * pinyin-pro, which is loaded for the first Chinese hotword: reading its dictionary is a twentieth of an engine's start.
 */
import { createRequire } from "node:module";
import type * as PinyinPro from "pinyin-pro";

const han = /\p{Script=Han}+/gu;

let loaded: typeof PinyinPro | undefined;

const pinyin = ((...given: Parameters<typeof PinyinPro.pinyin>) => {
	loaded ??= createRequire(import.meta.url)("pinyin-pro") as typeof PinyinPro;
	return loaded.pinyin(...given);
}) as typeof PinyinPro.pinyin;

/** @returns the syllable of each character (`nü` as `nv`), or undefined if it has none. */
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

/** @returns the toneless syllable of a character as a surname (曾: zeng), which is mostly the same as elsewhere. */
export function surnameSyllable(character: string): string {
	return pinyin(character, { toneType: "none", v: true, surname: "head" });
}

/** Pinyin of a text with tones, syllables separated: `nǐ hǎo`. Non-Chinese text stays as it is. */
export function syllablesWithTones(text: string): string {
	return pinyin(text, { toneType: "symbol", nonZh: "consecutive" });
}

/** A syllable (`nv`) and its tone, 1 to 5 (5 neutral). */
export interface TonedSyllable {
	readonly syllable: string;
	readonly tone: number;
}

/** @returns the syllables of Chinese characters in the reading that fits the words around them, or undefined where one has none. */
export function spokenSyllables(
	characters: string,
): readonly TonedSyllable[] | undefined {
	const read = pinyin(characters, { toneType: "num", type: "array", v: true });
	if (read.length !== Array.from(characters).length) return undefined;
	const syllables: TonedSyllable[] = [];
	for (const it of read) {
		const [, syllable, tone] = /^([a-z]+)([0-5])$/.exec(it) ?? [];
		if (!syllable) return undefined;
		syllables.push({ syllable, tone: Number(tone) || 5 });
	}
	return syllables;
}

/** All readings of a character, whatever is around it, the most common first. */
export function readingsOf(character: string): TonedSyllable[] {
	const read = pinyin(character, {
		toneType: "num",
		type: "array",
		v: true,
		multiple: true,
	});
	return read.flatMap((it) => {
		const [, syllable, tone] = /^([a-z]+)([0-5])$/.exec(it) ?? [];
		return syllable ? [{ syllable, tone: Number(tone) || 5 }] : [];
	});
}
