/**
 * The language of a request as other interfaces write it: a BCP-47 tag in any case (`zh`, `zh-CN`, `zh-Hans`, `cmn`, `en-GB`), an English name (`japanese`), one
 * of our own names, or `auto`: the recognizer identifies it, where it can.
 */
import { CodedError } from "../errors.js";
import { shown } from "../json/expectation.js";
import { isJapanese, type Language, pairOf } from "../text/languages.js";
import { parseLanguage } from "./languages.js";
import type { RecognitionOptions } from "./options.js";

export type WantedLanguage = Language | "auto";

/** Longer than any tag or name; 8 MiB of hyphens would take seconds to be divided. */
const tagUnitsMax = 200;

/** By primary subtag, or by name. */
const byName: Readonly<Record<string, Language>> = {
	en: "en-US",
	eng: "en-US",
	english: "en-US",
	ja: "ja-JP",
	jpn: "ja-JP",
	japanese: "ja-JP",
	zh: "zh-cmn-Hans-CN",
	zho: "zh-cmn-Hans-CN",
	cmn: "zh-cmn-Hans-CN",
	chinese: "zh-cmn-Hans-CN",
	mandarin: "zh-cmn-Hans-CN",
};

/** What a configuration says about languages (`endpoints.*`). */
export interface LanguageChoiceRules {
	/** Used for `auto` where the recognizer can't identify languages; undefined: the first installed one. */
	readonly otherwise: Language | undefined;
	/** A language that is recognized as another one: Chinese as Chinese-English. */
	readonly instead: ReadonlyMap<Language, Language>;
}

export const plainRules: LanguageChoiceRules = {
	otherwise: undefined,
	instead: new Map(),
};

export type LanguageOptions = Pick<
	RecognitionOptions,
	"language" | "languageChoices" | "translatedFrom"
>;

/** @returns undefined for a tag of no language that is known, and of two that are not written as one of our own names (`zh-CN-en-US`): neither alone is meant. */
export function wantedLanguage(tag: string): WantedLanguage | undefined {
	if (tag.length > tagUnitsMax) return undefined;
	const name = tag.trim().toLowerCase().replaceAll("_", "-");
	if (name === "auto") return "auto";
	const [primary = "", ...others] = name.split("-");
	const language = singleOf(primary);
	const isMixture = others.some(
		(it) => (singleOf(it) ?? language) !== language,
	);
	return parseLanguage(name) ?? (isMixture ? undefined : language);
}

/** @param pairs `zh=zh-en`, as in the configuration, whose names were checked at the start. */
export function languageRules(
	otherwise: string,
	pairs: readonly string[],
): LanguageChoiceRules {
	const instead = new Map<Language, Language>();
	for (const pair of pairs) {
		const [from, to] = pair.split("=", 2).map((it) => known(it));
		if (from && to) instead.set(from, to);
	}
	return { otherwise: known(otherwise), instead };
}

/**
 * @param given as the request has it; undefined: absent, which is `auto`.
 * @param param of the request, for messages.
 * @throws CodedError 200008
 */
export function languageOptions(
	given: string | undefined,
	installed: readonly Language[],
	{ otherwise, instead }: LanguageChoiceRules,
	param = "language",
): LanguageOptions {
	const wanted = given === undefined ? "auto" : wantedLanguage(given);
	const used = (language: Language) => {
		const other = instead.get(language);
		return other && installed.includes(other) ? other : language;
	};
	if (wanted === "auto") {
		const languageChoices = installed
			.filter((it) => !pairOf(it))
			.map((it) => used(it));
		const language =
			otherwise && installed.includes(otherwise)
				? used(otherwise)
				: (languageChoices[0] ?? installed[0] ?? "en-US");
		return languageChoices.length > 1
			? { language, languageChoices }
			: { language };
	}
	if (wanted && installed.includes(wanted)) return { language: used(wanted) };
	throw new CodedError(
		"200008",
		`${param} must be auto or one of ${installed.join(", ")}, got ${shown(given)}`,
		{ param },
	);
}

/** Readings exist for Japanese only. */
export function mayBeJapanese(
	language: Language,
	{ languageChoices = [] }: Pick<LanguageOptions, "languageChoices">,
): boolean {
	return [language, ...languageChoices].some((it) => isJapanese(it));
}

/** The options of a translation into English, of speech in these languages. A mixed one is translated as its eastern one. */
export function translationOptions({
	language,
	languageChoices,
}: LanguageOptions): LanguageOptions {
	const single = (it: Language) => pairOf(it)?.[0] ?? it;
	return {
		language: "en-US",
		translatedFrom: single(language),
		...(languageChoices && { languageChoices: languageChoices.map(single) }),
	};
}

function singleOf(name: string): Language | undefined {
	return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

function known(name: string | undefined): Language | undefined {
	const language = name ? wantedLanguage(name) : undefined;
	return language === "auto" ? undefined : language;
}
