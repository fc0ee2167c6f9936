/** Which language a request gets that names none or another one, as `[endpoints]` says. */
import type { Config } from "../config/schema.js";
import {
	type LanguageChoiceRules,
	languageRules,
} from "../session/wanted-language.js";

type LanguageSettings = Pick<
	Config["endpoints"],
	"default_language" | "languages"
>;

export function languageRulesOf({
	default_language,
	languages,
}: LanguageSettings): LanguageChoiceRules {
	return languageRules(default_language, languages);
}

/** Those of the configuration in force, to be read for each request: a reload may change them. */
export function languageRulesIn(
	inForce: () => { readonly endpoints: LanguageSettings },
): () => LanguageChoiceRules {
	return () => languageRulesOf(inForce().endpoints);
}
