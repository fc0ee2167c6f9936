/**
 * Which rules a language is written by. One line here registers a language's folder; mixed speech is read by two.
 */
import type { Language } from "../models/recognizer.js";
import { en } from "./en/rules.js";
import { ja } from "./ja/rules.js";
import type { LanguageRules } from "./language-rules.js";
import { mixedRules } from "./mixed.js";
import type { MarkStyle } from "./punctuation.js";
import { zh } from "./zh/rules.js";

export const rulesOf: Readonly<Record<Language, LanguageRules>> = {
	"zh-cmn-Hans-CN": zh,
	"ja-JP": ja,
	"en-US": en,
	"zh-cmn-Hans-CN-en-US": mixedRules(zh, en),
	"ja-JP-en-US": mixedRules(ja, en),
};

export const markStyleOf: Readonly<Record<Language, MarkStyle>> = {
	"zh-cmn-Hans-CN": "zh",
	"ja-JP": "ja",
	"en-US": "en",
	"zh-cmn-Hans-CN-en-US": "zh",
	"ja-JP-en-US": "ja",
};
