/**
 * Which rules a language is written by. One line here registers a language's folder; mixed speech is read by two.
 */
import type { Language } from "../models/recognizer.js";
import { ja } from "./ja/rules.js";
import { type LanguageRules, noRules } from "./language-rules.js";
import type { MarkStyle } from "./punctuation.js";
import { zh } from "./zh/rules.js";

const en: LanguageRules = noRules;

export const rulesOf: Readonly<Record<Language, LanguageRules>> = {
	"zh-cmn-Hans-CN": zh,
	"ja-JP": ja,
	"en-US": en,
	"zh-cmn-Hans-CN-en-US": zh,
	"ja-JP-en-US": ja,
};

export const markStyleOf: Readonly<Record<Language, MarkStyle>> = {
	"zh-cmn-Hans-CN": "zh",
	"ja-JP": "ja",
	"en-US": "en",
	"zh-cmn-Hans-CN-en-US": "zh",
	"ja-JP-en-US": "ja",
};
