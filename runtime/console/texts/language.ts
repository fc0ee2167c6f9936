/** The language of the page: the browser's first of three, or the one that was chosen. */
import { signal } from "@preact/signals";
import { remembered } from "../app/remembered.js";

export const languages = ["en", "zh", "ja"] as const;
export type PageLanguage = (typeof languages)[number];

/** As they call themselves. */
export const languageNames: Readonly<Record<PageLanguage, string>> = {
	en: "English",
	zh: "简体中文",
	ja: "日本語",
};

/** For `lang`, so that glyphs and screen readers are right. */
export const languageTags: Readonly<Record<PageLanguage, string>> = {
	en: "en",
	zh: "zh-Hans",
	ja: "ja",
};

const kept = remembered<PageLanguage | "">("language", "");

export const language = signal<PageLanguage>(kept.get() || ofBrowser());

export function chooseLanguage(chosen: PageLanguage): void {
	kept.set(chosen);
	language.value = chosen;
}

function ofBrowser(): PageLanguage {
	for (const tag of navigator.languages) {
		const found = languages.find((it) => tag.toLowerCase().startsWith(it));
		if (found) return found;
	}
	return "en";
}
