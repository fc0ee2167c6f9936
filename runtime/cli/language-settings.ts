/** The languages that a configuration names, where a mistyped one would be ignored without a word; short names become those of `lang_type`. */
import { ConfigError } from "../config/config-error.js";
import type { LoadedConfig } from "../config/load.js";
import { languageNames, parseLanguage } from "../session/languages.js";
import { wantedLanguage } from "../session/wanted-language.js";

/** @throws ConfigError */
export function withCheckedLanguages(loaded: LoadedConfig): LoadedConfig {
	const { values, origins } = loaded;
	const { model, endpoints } = values;
	const named = <L>(name: string, language: L | undefined, key: string): L => {
		if (language !== undefined && language !== "auto") return language;
		throw new ConfigError(
			`${key} in ${origins.get(key)} names the language ${JSON.stringify(name)}, which is not one of ${languageNames.join(", ")}`,
		);
	};
	const { default_language } = endpoints;
	const key = "endpoints.default_language";
	const otherwise = wantedLanguage(default_language);
	if (default_language !== "" && otherwise !== "auto")
		named(default_language, otherwise, key);
	for (const pair of endpoints.languages)
		for (const name of pair.split("=", 2))
			named(name, wantedLanguage(name), "endpoints.languages");
	const by_language = Object.fromEntries(
		Object.entries(model.by_language).map(([name, other]) => [
			named(name, parseLanguage(name), "model.by_language"),
			other,
		]),
	);
	return { ...loaded, values: { ...values, model: { ...model, by_language } } };
}
