/** Keeps the model open that a recognition needs (model-slots.ts). */
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";

/**
 * @returns a function that releases it; undefined where none is held: while the language is to be identified, and for a translation, which the main model
 * makes.
 */
export function holdModel(
	recognizer: Pick<SpeechRecognizer, "identifyLanguage" | "hold">,
	{
		language,
		languageChoices,
		translatedFrom,
	}: Pick<
		RecognitionOptions,
		"language" | "languageChoices" | "translatedFrom"
	>,
): (() => void) | undefined {
	const isUnknown = languageChoices && recognizer.identifyLanguage;
	return isUnknown || translatedFrom ? undefined : recognizer.hold?.(language);
}
