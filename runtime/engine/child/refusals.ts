/**
 * What a recognition asks of a model that can't: refused before anything is heard, in words that say which model and what of it.
 */
import { CodedError } from "../../errors.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";

type RequestedOptions = Pick<
	RecognitionOptions,
	"language" | "hotwords" | "words"
>;
type ModelAbilities = Pick<
	SpeechRecognizer,
	"name" | "languages" | "capabilities"
>;

/** @throws CodedError 200008, 200002 */
export function refuseWhatItCannot(
	model: ModelAbilities,
	options: RequestedOptions,
): void {
	const { name, languages, capabilities } = model;
	if (!languages.includes(options.language))
		throw new CodedError(
			"200008",
			`lang_type ${options.language} is not supported by the installed model ${name}`,
		);
	if (options.hotwords && !capabilities.hotwords)
		throw new CodedError(
			"200002",
			`hotwords can't be used: the installed model ${name} does not look for words (docs/models.md)`,
		);
	if (options.words && !capabilities.wordTimes)
		throw new CodedError(
			"200002",
			`words can't be given: the installed model ${name} does not know when a word was said (docs/models.md)`,
		);
}
