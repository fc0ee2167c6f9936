/**
 * Refuses recognitions that need a capability the model lacks, before any audio is processed, with a message that names the model and the capability.
 */
import { CodedError } from "../../errors.js";
import type {
	RecognizerAbilities,
	SpeechRecognizer,
} from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";

type RequestedOptions = Pick<
	RecognitionOptions,
	"language" | "translatedFrom" | "hotwords" | "words"
>;
type Model = RecognizerAbilities & Pick<SpeechRecognizer, "servedBy">;

/** @throws CodedError 200008, 200002 */
export function refuseUnsupported(
	model: Model,
	options: RequestedOptions,
): void {
	// only the model itself translates, whoever serves the language that it translates into
	const served = options.translatedFrom
		? model
		: (model.servedBy?.(options.language) ?? model);
	const { name, languages, capabilities } = served;
	if (!languages.includes(options.language))
		throw new CodedError(
			"200008",
			`lang_type ${options.language} is not supported by the installed model ${name}`,
		);
	if (options.translatedFrom && !served.translates)
		throw new CodedError(
			"200002",
			`the installed model ${name} can't translate`,
			{
				param: "model",
				code: "unsupported_model",
			},
		);
	if (options.hotwords && !capabilities.hotwords)
		throw new CodedError(
			"200002",
			`hotwords can't be used: the installed model ${name} does not support hotwords (docs/models.md)`,
		);
	if (options.words && !capabilities.wordTimes)
		throw new CodedError(
			"200002",
			`words can't be returned: the installed model ${name} does not support word timestamps (docs/models.md)`,
		);
}
