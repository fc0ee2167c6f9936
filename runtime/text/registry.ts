/**
 * The text rules of each language. One line here registers a language's folder; mixed speech uses two.
 */

import { en } from "./en/rules.js";
import { ja } from "./ja/rules.js";
import type { LanguageRules } from "./language-rules.js";
import type { Language } from "./languages.js";
import { mixedRules } from "./mixed.js";
import { settled } from "./settled.js";
import { zh } from "./zh/rules.js";

export const rulesOf: Readonly<Record<Language, LanguageRules>> = {
	"zh-cmn-Hans-CN": settling(zh),
	"ja-JP": settling(ja),
	"en-US": settling(en),
	"zh-cmn-Hans-CN-en-US": settling(mixedRules(zh, en)),
	"ja-JP-en-US": settling(mixedRules(ja, en)),
};

function settling(rules: LanguageRules): LanguageRules {
	return {
		...rules,
		writeNumbers: settled(rules.writeNumbers),
		speakNumbers: settled(rules.speakNumbers),
	};
}
