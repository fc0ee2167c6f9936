/** Where words begin in a text, by ICU's rules and dictionaries. */
import type { MarkStyle } from "../../text/punctuation.js";

const locales: Readonly<Record<MarkStyle, string>> = {
	zh: "zh-Hans",
	ja: "ja",
	en: "en",
};
const made = new Map<MarkStyle, Intl.Segmenter>();

/** Made for the first text of a language: the dictionary of Chinese and Japanese takes 20 ms to load. */
export function segmenterOf(language: MarkStyle): Intl.Segmenter {
	let segmenter = made.get(language);
	if (!segmenter) {
		segmenter = new Intl.Segmenter(locales[language], { granularity: "word" });
		made.set(language, segmenter);
	}
	return segmenter;
}
