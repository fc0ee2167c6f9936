/** The languages of a published model, by the scripts of its symbols. */
import { symbolsOf, unitsOf } from "./symbol-table.js";

/** @param tokens contents of `tokens.txt`. @returns values of `lang_type`. */
export function languagesOf(tokens: string): string[] {
	if (unitsOf(tokens) === "pinyin") return ["zh-cmn-Hans-CN"];
	const symbols = symbolsOf(tokens).join("\n");
	const has = (pattern: RegExp) => pattern.test(symbols);
	const japanese = has(/\p{Script=Hiragana}|\p{Script=Katakana}/u);
	const chinese = has(/\p{Script=Han}/u);
	const english = has(/^\u2581?[A-Za-z]{2,}$/mu);
	if (japanese) return english ? ["ja-JP", "en-US", "ja-JP-en-US"] : ["ja-JP"];
	if (chinese)
		return english
			? ["zh-cmn-Hans-CN", "en-US", "zh-cmn-Hans-CN-en-US"]
			: ["zh-cmn-Hans-CN"];
	return ["en-US"];
}
