/**
 * Recognition options as requests carry them (docs/interface.md sections 2.3 and 4.3): HTTP sends them as text, a start message as JSON, OpenAPI documents them.
 */

import {
	type Static,
	type TBoolean,
	type TObject,
	Type,
} from "@sinclair/typebox";
import {
	codecOf,
	formatAliases,
	formatNamed,
	isRaw,
	type RawFormat,
	type RequestFormat,
	requestFormats,
} from "../audio/container.js";
import { rateHzMax, rateHzMin } from "../audio/sample-rate.js";
import { CodedError } from "../errors.js";
import { shown } from "../json/expectation.js";
import { listOfText, oneOf } from "../json/validate.js";
import type { Language } from "../text/languages.js";
import { isJapanese, languages } from "../text/languages.js";
import { languageNames } from "./languages.js";
import {
	type ListReferences,
	type RecognitionOptions,
	type RecordingRequest,
	type SwitchName,
	switches,
	switchesBy,
} from "./options.js";
import {
	type LanguageOptions,
	type LanguageRules,
	languageOptions,
	plainRules,
	wantedLanguage,
} from "./wanted-language.js";

/** Lists of one kind in one request: each is looked up. */
export const listsMaxOfRequest = 1000;
const idCharactersMax = 150;
const idPattern = `[a-zA-Z0-9_-]{1,${idCharactersMax}}`;

/** By their request parameters. */
type SwitchParameters = {
	[Name in SwitchName as (typeof switches)[Name]["request"]]: TBoolean;
};
const switchParameters = Object.fromEntries(
	Object.values(switches).map(({ request, byDefault, meaning }) => [
		request,
		Type.Boolean({ default: byDefault, description: meaning }),
	]),
) as SwitchParameters;

const idList = (what: string) =>
	Type.String({
		maxLength: listsMaxOfRequest * (idCharactersMax + 1),
		pattern: `^${idPattern}(\\|${idPattern})*$`,
		"x-expects": `ids of letters, digits, _ and -, separated by |, at most ${listsMaxOfRequest} of them, or "all"`,
		description: `Ids of ${what}, separated by |, or all.`,
	});

/** @param formats that the endpoint takes. */
export function formatOption<const Names extends readonly RequestFormat[]>(
	formats: Names,
) {
	return oneOf(formats, {
		"x-normalise": formatNamed,
		"x-status": "200006",
		default: "pcm",
		description: `Audio encoding. pcm: signed 16-bit little-endian mono, at the rate of field; pcm_s16le: the same at any sample_rate; mulaw, alaw: G.711. Also accepted: ${formatAliases.join(", ")}.`,
	});
}

const languageOption = {
	"x-normalise": (text: string) => wantedLanguage(text) ?? text,
	"x-status": "200008",
	description: `Language. Also accepted, in any case: ${languageNames.filter((name) => !languages.includes(name as Language)).join(", ")}, and longer tags of these languages.`,
};

/** The language of a recognition that may have to find it out. */
export const languageOrAuto = oneOf([...languages, "auto"], {
	...languageOption,
	description: `${languageOption.description} auto: identified by the first speech, where the model can.`,
});

/** Options of every recognition. A default that depends on another option is filled in by `recognitionOf`. */
export const sharedOptions = {
	lang_type: oneOf(languages, languageOption),
	format: formatOption(requestFormats),
	field: oneOf(["general", "call-center"], {
		default: "general",
		description: "general: 16000 Hz; call-center: 8000 Hz (raw PCM).",
	}),
	sample_rate: Type.Optional(
		Type.Unsafe<unknown>({
			type: "integer",
			minimum: rateHzMin,
			maximum: rateHzMax,
			"x-checked-later": true,
			description:
				"Hz. Of pcm it must agree with field: 8000 or 16000; of pcm_s16le, mulaw and alaw any from 4000 to 384000. Ignored for containers.",
		}),
	),
	max_sentence_silence: Type.Optional(
		Type.Integer({
			minimum: 200,
			maximum: 1200,
			description:
				"Silence that ends a sentence, ms; 800 for general, 250 for call-center. Short recognition, whose answer is one text, recognizes speech in passages of up to 28 s unless this or enable_dynamic_break is given.",
		}),
	),
	...switchParameters,
	hotwords_list: Type.Optional(
		Type.Array(Type.String(), {
			maxItems: 100,
			"x-normalise": listOfText,
			description:
				"Hotwords of this request; takes precedence over hotwords_id. As text: a JSON array, or words separated by |.",
		}),
	),
	hotwords_id: Type.Optional(
		Type.String({
			pattern: `^${idPattern}$`,
			"x-expects": "an id of at most 150 letters, digits, _ and - characters",
			description: "Id of a stored hotword database of this language.",
		}),
	),
	hotwords_weight: Type.Number({
		minimum: 0.1,
		maximum: 1,
		default: 0.4,
		description: "Strength of the hotwords.",
	}),
	correction_words_id: Type.Optional(idList("correction vocabularies")),
	forbidden_words_id: Type.Optional(idList("forbidden-word lists")),
	gain: Type.Optional(
		Type.Integer({
			minimum: 1,
			maximum: 20,
			description: "Amplitude factor; 1 for general, 2 for call-center.",
		}),
	),
	enable_save_log: Type.Boolean({
		default: true,
		description: "Accepted, without effect.",
	}),
	enable_spoken: Type.Boolean({
		default: false,
		description: "Add the reading in katakana; Japanese and Japanese-English.",
	}),
	audio_url: Type.Optional(
		oneOf(["mp3", "pcm", "wav"], {
			description:
				"Store the audio for 30 days in this format and return a link to it.",
		}),
	),
};

/** Of short recognition alone: files have no such option. */
export const dynamicBreak = Type.Boolean({
	default: false,
	description:
		"The silence that ends a sentence follows the speaker's own pauses, around max_sentence_silence.",
});

/** `POST /v1/asr/api` */
export const shortHttpOptions = Type.Object({
	...sharedOptions,
	lang_type: languageOrAuto,
	duration: Type.Integer({
		minimum: 60,
		maximum: 600,
		default: 60,
		description: "Longest audio, seconds.",
	}),
	enable_dynamic_break: dynamicBreak,
});

/** The owner of stored audio, and the start of links to it. */
export type RecordingCaller = Omit<RecordingRequest, "format">;

/** @param caller undefined if nothing is stored. */
export function recordingOf(
	{ audio_url: format }: Pick<SharedOptions, "audio_url">,
	caller: RecordingCaller | undefined,
): Pick<RecognitionOptions, "recording"> {
	return format && caller ? { recording: { ...caller, format } } : {};
}

type SharedOptions = Static<TObject<typeof sharedOptions>>;

const samplingRatesHz = { general: 16000, "call-center": 8000 } as const;
/** Of telephones, for which G.711 was made. */
const g711RateHz = 8000;
const silenceMsDefaults = { general: 800, "call-center": 250 } as const;
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
	rules: LanguageRules = plainRules,
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
	options: SharedOptions & { readonly duration: number },
	installed: readonly Language[],
): RecognitionOptions {
	const { field, format } = options;
	if (!installed.includes(options.lang_type)) {
		throw new CodedError(
			"200008",
			`lang_type must be one of ${installed.join(", ")}, got "${options.lang_type}"`,
		);
	}
	return {
		language: options.lang_type,
		format,
		sampleRateHz: rateHzOf(options),
		gain: options.gain ?? gainDefaults[field],
		durationSecondsMax: options.duration,
		maxSentenceSilenceMs:
			options.max_sentence_silence ?? silenceMsDefaults[field],
		...switchesBy((name) => options[switches[name].request]),
		// Japanese only; ignored for other languages
		...(options.enable_spoken &&
			isJapanese(options.lang_type) && { spoken: true }),
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
