/** Chinese, as the pipeline uses it. */
import type { LanguageRules } from "../language-rules.js";
import { fillers } from "./fillers.js";
import { speakNumbers } from "./speak-numbers.js";
import { writeNumbers } from "./write-numbers.js";

/** A number at the end that may go on, or turn into a share or a time. */
const openNumber =
	/[第负]?[零〇一幺二两三四五六七八九十百千万亿几\d０-９][零〇一幺二两三四五六七八九十百千万亿几\d０-９点分之年月到至比半刻个.,:%]{0,40}$/;
/** As far back as such a number goes. */
const openCharactersMax = 40;

export const zh: LanguageRules = {
	writeNumbers,
	speakNumbers,
	fillers,
	openFrom(text) {
		const tail = text.slice(-openCharactersMax);
		const open = openNumber.exec(tail);
		return open ? text.length - tail.length + open.index : text.length;
	},
};
