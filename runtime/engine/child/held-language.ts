/** Which language's model a recognition keeps open (model-slots.ts). */
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";

/** @returns undefined while the language is to be identified, and for a translation, which the main model makes. */
export function heldLanguage(
	recognizer: Pick<SpeechRecognizer, "identifyLanguage">,
	{
		language,
		languageChoices,
		translatedFrom,
	}: Pick<
		RecognitionOptions,
		"language" | "languageChoices" | "translatedFrom"
	>,
): Language | undefined {
	const isUnknown = languageChoices && recognizer.identifyLanguage;
	return isUnknown || translatedFrom ? undefined : language;
}
