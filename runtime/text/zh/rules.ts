/** The Chinese rules for the pipeline. */
import type { LanguageRules } from "../language-rules.js";
import { signsFrom } from "../number-signs.js";
import { fillers } from "./fillers.js";
import { fixedPhraseOpenFrom } from "./fixed-phrases.js";
import { speakNumbers } from "./speak-numbers.js";
import { writeNumbers } from "./write-numbers.js";

const numerals = "零〇一幺二两三四五六七八九十百千万亿几\\d０-９";
/** A number at the end that may continue, become a fraction or a time, or whose unit may change (三公里, 四周后). */
const openNumber = new RegExp(
	`(?:(?:[第负]|(?<=[A-Za-z])点)?[${numerals}][${numerals}点分之年月日号到至比又加减乘除以等于半刻个块路室届中全事公小单毫厘平方立级、.,:%]{0,40}\\p{Script=Han}?|[第负]|(?<=[A-Za-z])点)$`,
	"u",
);
/** Longest such number. */
const openCharactersMax = 40;

export const zh: LanguageRules = {
	writeNumbers,
	speakNumbers,
	fillers,
	openFrom(text) {
		const tail = text.slice(-openCharactersMax);
		const open = openNumber.exec(tail);
		const number = open ? text.length - tail.length + open.index : text.length;
		return Math.min(signsFrom(text, number), fixedPhraseOpenFrom(text));
	},
};
