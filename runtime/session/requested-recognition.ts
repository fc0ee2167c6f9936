/** What a recognition is to do, from checked request options (request-options.ts): defaults that depend on others, conflicts, word lists, stored audio. */
import { codecOf, isRaw, type RawFormat } from "../audio/container.js";
import { rateHzMax, rateHzMin } from "../audio/sample-rate.js";
import { CodedError } from "../errors.js";
import { shown } from "../json/expectation.js";
import type { Language } from "../text/languages.js";
import {
	type ListReferences,
	type RecognitionOptions,
	type RecordingRequest,
	sentenceSilenceMsDefault,
	switches,
	switchesBy,
} from "./options.js";
import type { SharedOptions } from "./request-options.js";
import {
	type LanguageChoiceRules,
	type LanguageOptions,
	languageOptions,
	mayBeJapanese,
	plainRules,
} from "./wanted-language.js";

/** The owner of stored audio, and the start of links to it. */
export type RecordingCaller = Omit<RecordingRequest, "format">;

/** @param caller undefined if nothing is stored. */
export function recordingOf(
	{ audio_url: format }: Pick<SharedOptions, "audio_url">,
	caller: RecordingCaller | undefined,
): Pick<RecognitionOptions, "recording"> {
	return format && caller ? { recording: { ...caller, format } } : {};
}

const samplingRatesHz = { general: 16000, "call-center": 8000 } as const;
/** Of telephones, for which G.711 was made. */
const g711RateHz = 8000;
const silenceMsDefaults = {
	general: sentenceSilenceMsDefault,
	"call-center": 250,
} as const;
const gainDefaults = { general: 1, "call-center": 2 } as const;

/** What `field` call-center stands for. */
export const callCenterDefaults = {
	rateHz: samplingRatesHz["call-center"],
	gain: gainDefaults["call-center"],
	maxSentenceSilenceMs: silenceMsDefaults["call-center"],
} as const;

/**
 * The language of a request of our own API: a name means this language and no other, so only `auto` follows the configuration.
 * @param rules absent: none are configured.
 */
export function languageOf(
	name: Language | "auto",
	installed: readonly Language[],
	rules: LanguageChoiceRules = plainRules,
): LanguageOptions {
	return name === "auto"
		? languageOptions(name, installed, rules)
		: { language: name };
}

/**
 * Converts checked request options to those of a recognition.
 * @param installed languages of the installed models.
 * @throws CodedError 200002 if two options conflict, 200008 if no model supports the language.
 */
export function recognitionOf(
	options: SharedOptions &
		Pick<LanguageOptions, "languageChoices"> & { readonly duration: number },
	installed: readonly Language[],
): RecognitionOptions {
	const { field, format } = options;
	if (!installed.includes(options.lang_type)) {
		throw new CodedError(
			"200008",
			`lang_type must be one of ${installed.join(", ")}, got "${options.lang_type}"`,
		);
	}
	const { languageChoices } = options;
	return {
		language: options.lang_type,
		...(languageChoices && { languageChoices }),
		format,
		sampleRateHz: rateHzOf(options),
		gain: options.gain ?? gainDefaults[field],
		durationSecondsMax: options.duration,
		maxSentenceSilenceMs:
			options.max_sentence_silence ?? silenceMsDefaults[field],
		...switchesBy((name) => options[switches[name].request]),
		// Japanese only; ignored for other languages
		...(options.enable_spoken &&
			mayBeJapanese(options.lang_type, options) && { spoken: true }),
		partials: false,
	};
}

/**
 * Short recognition returns one text. Unless breaks are requested, speech is recognized in passages, and the text is the same at every endpoint.
 */
export function isOneText(options: {
	readonly max_sentence_silence?: number;
	readonly enable_dynamic_break: boolean;
}): boolean {
	return (
		options.max_sentence_silence === undefined && !options.enable_dynamic_break
	);
}

/** The word lists that a request names or contains. */
export function referencesOf(
	values: Pick<
		SharedOptions,
		| "hotwords_list"
		| "hotwords_id"
		| "hotwords_weight"
		| "correction_words_id"
		| "forbidden_words_id"
	>,
): ListReferences {
	const { hotwords_list: hotwordsList, hotwords_id: hotwordsId } = values;
	const { correction_words_id: correctionWordsId } = values;
	const { forbidden_words_id: forbiddenWordsId } = values;
	return {
		...(hotwordsList?.length && { hotwordsList }),
		...(hotwordsId !== undefined && { hotwordsId }),
		hotwordsWeight: values.hotwords_weight,
		...(correctionWordsId !== undefined && { correctionWordsId }),
		...(forbiddenWordsId !== undefined && { forbiddenWordsId }),
	};
}

/** @throws CodedError 200002 */
function rateHzOf({ format, field, sample_rate }: SharedOptions): number {
	const usualHz = samplingRatesHz[field];
	if (!isRaw(format)) return usualHz;
	if (format !== "pcm") return anyRateHz(format, sample_rate, usualHz);
	if (sample_rate === undefined || sample_rate === usualHz) return usualHz;
	throw new CodedError(
		"200002",
		`sample_rate must be ${usualHz} with field ${field}, got ${shown(sample_rate)}`,
	);
}

function anyRateHz(format: RawFormat, given: unknown, usualHz: number): number {
	if (given === undefined)
		return codecOf(format) === "s16" ? usualHz : g711RateHz;
	const isRate =
		Number.isInteger(given) &&
		(given as number) >= rateHzMin &&
		(given as number) <= rateHzMax;
	if (isRate) return given as number;
	throw new CodedError(
		"200002",
		`sample_rate must be an integer from ${rateHzMin} to ${rateHzMax}, got ${shown(given)}`,
	);
}
