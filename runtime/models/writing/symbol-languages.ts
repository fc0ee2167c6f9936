/** The languages of a published model, by the scripts of its symbols. */
import { symbolsOf, unitsOf } from "./symbol-table.js";

/** Of languages that earshot does not serve. */
const otherScript =
	/\p{Script=Hangul}|\p{Script=Cyrillic}|\p{Script=Thai}|\p{Script=Arabic}/u;
/** Share of symbols; a list of characters has some of every script. */
const otherShareMin = 0.05;

/**
 * @param tokens contents of `tokens.txt`.
 * @returns values of `lang_type`; none where much is in another script: of the rest it can't be said which languages were trained.
 */
export function languagesOf(tokens: string): string[] {
	if (unitsOf(tokens) === "pinyin") return ["zh-cmn-Hans-CN"];
	const all = symbolsOf(tokens);
	const others = all.filter((it) => otherScript.test(it)).length;
	if (others > otherShareMin * all.length) return [];
	const symbols = all.join("\n");
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
