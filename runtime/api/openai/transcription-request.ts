/** The fields of a transcription request (docs/openai.md), checked: what to recognize, how, and what the answer looks like. */
import type { Static } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { checkUtf8 } from "../../json/utf8-text.js";
import {
	listOfText,
	listTextUnitsMax,
	parseTexts,
} from "../../json/validate.js";
import { hotwordsMaxOfRequest } from "../../session/options.js";
import {
	type LanguageChoiceRules,
	type LanguageOptions,
	languageOptions,
	translationOptions,
	wantedLanguage,
} from "../../session/wanted-language.js";
import {
	type UploadOptions,
	uploadSchemas,
} from "../../tasks/intake/upload-options.js";
import type { Language } from "../../text/languages.js";
import {
	beginsAsList,
	FormFields,
	mustBe,
	numberWithin,
	wrong,
} from "./form-fields.js";
import { isOfOtherEncoding, promptWords } from "./prompt.js";

export const responseFormats = [
	"json",
	"text",
	"srt",
	"verbose_json",
	"vtt",
	"diarized_json",
] as const;
const translationFormats = responseFormats.filter(
	(it) => it !== "diarized_json",
);
export type ResponseFormat = (typeof responseFormats)[number];

const known = uploadSchemas.standard.properties;

/** Options of a file transcription that keep their names here. */
export const ownOptions = Type.Object({
	hotwords_list: known.hotwords_list,
	hotwords_id: known.hotwords_id,
	hotwords_weight: known.hotwords_weight,
	correction_words_id: known.correction_words_id,
	forbidden_words_id: known.forbidden_words_id,
	enable_punctuation_prediction: Type.Boolean({ default: true }),
	enable_inverse_text_normalization: known.enable_inverse_text_normalization,
	enable_modal_particle_filter: Type.Boolean({ default: true }),
	max_sentence_silence: known.max_sentence_silence,
	field: known.field,
	gain: known.gain,
	clusters: known.clusters,
	channels: known.channels,
	words_type: known.words_type,
});

/** Silence that ends a sentence, ms. */
const silenceMsMin = 200;
const silenceMsMax = 1200;

export interface TranscriptionRequest {
	readonly model: string | undefined;
	readonly format: ResponseFormat;
	readonly languages: LanguageOptions;
	/** Words with times are in the answer. */
	readonly words: boolean;
	readonly logprobs: boolean;
	readonly streams: boolean;
	/** Into English. */
	readonly translates: boolean;
	/** Options of a file transcription, but for those that the audio and the format decide. */
	readonly options: Static<typeof ownOptions>;
	/** Fields that were given and have no effect. */
	readonly ignored: readonly string[];
}

export interface RequestRules {
	readonly installed: readonly Language[];
	readonly languageRules: LanguageChoiceRules;
}

/** @throws CodedError 200001, 200002, 200008 with the parameter */
export function transcriptionRequest(
	texts: ReadonlyMap<string, readonly string[]>,
	rules: RequestRules,
): TranscriptionRequest {
	const fields = new FormFields(texts);
	const format = fields.oneOf("response_format", responseFormats) ?? "json";
	const streams = fields.boolean("stream") ?? false;
	if (streams && (format === "srt" || format === "vtt"))
		throw wrong("stream", `can't be used with response_format ${format}`);
	fields.number("temperature", 0, 1);
	refuseKnownSpeakers(fields);
	const ignored: string[] = [];
	const granularities = granularitiesOf(fields, format, ignored);
	const { values } = parseTexts(ownOptions, texts);
	const silenceMs = values.max_sentence_silence ?? silenceOf(fields);
	const hotwords = hotwordsOf(fields, values.hotwords_list ?? [], ignored);
	const { hotwords_list: _, ...others } = values;
	const includes = fields.list("include");
	if (includes.some((it) => it !== "logprobs"))
		throw mustBe("include", "logprobs", includes.join(", "));
	const takesLogprobs = format === "json";
	if (includes.length > 0 && !takesLogprobs) ignored.push("include");
	return {
		model: fields.text("model"),
		format,
		languages: languagesOf(fields, rules),
		words: granularities.includes("word"),
		logprobs: includes.length > 0 && takesLogprobs,
		streams,
		translates: false,
		options: {
			...others,
			...(hotwords.length > 0 && { hotwords_list: [...hotwords] }),
			...(silenceMs !== undefined && { max_sentence_silence: silenceMs }),
			...(format === "diarized_json" && { clusters: values.clusters ?? 0 }),
		},
		ignored,
	};
}

/** The fields of a translation: fewer, and the language of the speech is identified unless it is named. @throws CodedError as above */
export function translationRequest(
	texts: ReadonlyMap<string, readonly string[]>,
	rules: RequestRules,
): TranscriptionRequest {
	const fields = new FormFields(texts);
	fields.oneOf("response_format", translationFormats);
	const known = new Set(["timestamp_granularities", "stream", "include"]);
	const others = [...texts].filter(
		([name]) => !known.has(name.replace(/\[\d*\]$/, "")),
	);
	const request = transcriptionRequest(new Map(others), rules);
	return {
		...request,
		languages: translationOptions(request.languages),
		translates: true,
	};
}

/** The options of a file task. */
export function uploadOptionsOf(
	request: Pick<TranscriptionRequest, "options">,
	recognition: Pick<
		UploadOptions,
		"lang_type" | "format" | "output" | "enable_words"
	>,
): UploadOptions {
	const { options } = request;
	return {
		...options,
		...recognition,
		keywords_quantity: 0,
		enable_lang_label: false,
		paragraph_condition: 0,
		enable_save_log: true,
	};
}

/** @param ignored gets the name where the format has no place for what is always given. */
function granularitiesOf(
	fields: FormFields,
	format: ResponseFormat,
	ignored: string[],
): readonly string[] {
	const name = "timestamp_granularities";
	const given = fields.list(name);
	const unknown = given.find((it) => it !== "word" && it !== "segment");
	if (unknown !== undefined) throw mustBe(name, "word or segment", unknown);
	if (given.length === 0 || format === "verbose_json") return given;
	if (given.includes("word"))
		throw wrong(name, "needs response_format verbose_json");
	ignored.push(name); // the default: some clients name it with every format
	return [];
}

/** Wrong names would be worse than none. */
function refuseKnownSpeakers(fields: FormFields): void {
	for (const name of ["known_speaker_names", "known_speaker_references"])
		if (fields.list(name).length > 0)
			throw wrong(name, "is not supported: speakers are lettered A, B, ...");
}

function languagesOf(fields: FormFields, rules: RequestRules): LanguageOptions {
	return chosenLanguage(
		fields.text("language") ?? fields.text("lang_type"),
		fields.list("languages"),
		rules,
	);
}

/**
 * `language`, or `languages` of one, or of two that are a mixed one; else the recognizer identifies it.
 * @throws CodedError 200008
 */
export function chosenLanguage(
	one: string | undefined,
	several: readonly string[],
	{ installed, languageRules }: RequestRules,
): LanguageOptions {
	const choose = (tag: string | undefined, param?: string) =>
		languageOptions(tag, installed, languageRules, param);
	if (one !== undefined) return choose(one);
	const wanted = [...new Set(several.map(wantedLanguage))];
	if (wanted.length === 1) return choose(several[0], "languages");
	if (wanted.length === 2 && wanted.includes("en-US")) {
		const other = wanted.find((it) => it !== "en-US");
		const mixed = installed.find((it) => it === `${other}-en-US`);
		if (mixed) return { language: mixed };
	}
	return choose(undefined);
}

/** @param ignored gets the name of a prompt that is no list of words. */
function hotwordsOf(
	fields: FormFields,
	own: readonly string[],
	ignored: string[],
): readonly string[] {
	const oneText = fields.text("hotwords") ?? "";
	const keywords = [
		...own,
		...fields.list("keywords"),
		...wordsIn("hotwords", oneText),
	];
	if (keywords.length > hotwordsMaxOfRequest)
		throw wrong("keywords", `must be at most ${hotwordsMaxOfRequest} words`);
	const prompt = fields.text("prompt");
	if (prompt === undefined) return keywords;
	if (isOfOtherEncoding(prompt)) checkUtf8("prompt", [prompt]);
	const words = promptWords(prompt);
	if (words.length === 0) ignored.push("prompt");
	return [...keywords, ...words].slice(0, hotwordsMaxOfRequest);
}

function wordsIn(name: string, text: string): string[] {
	checkUtf8(name, [text]);
	if (text.length > listTextUnitsMax)
		throw wrong(name, `must be at most ${listTextUnitsMax} characters`);
	const listed = beginsAsList(text) ? listOfText(text) : text;
	if (Array.isArray(listed)) return listed.map(String);
	return text
		.split(/[,，、|\n]/u)
		.map((it) => it.trim())
		.filter((it) => it !== "");
}

/** `auto`, or how long a silence ends a sentence. Speech is found by voice activity in any case. */
function silenceOf(fields: FormFields): number | undefined {
	const name = "chunking_strategy";
	const strategy = fields.object(name);
	if (strategy === undefined || strategy === "auto") return undefined;
	if (typeof strategy === "string" || strategy.get("type") !== "server_vad")
		throw mustBe(
			name,
			"auto, or an object of the type server_vad",
			typeof strategy === "string" ? strategy : (strategy.get("type") ?? ""),
		);
	const member = (key: string, maximum: number) => {
		const text = strategy.get(key);
		return text === undefined
			? undefined
			: numberWithin(`${name}[${key}]`, text, 0, maximum);
	};
	member("threshold", 1);
	member("prefix_padding_ms", 60_000);
	const silenceMs = member("silence_duration_ms", 60_000);
	return silenceMs === undefined
		? undefined
		: Math.round(Math.min(silenceMsMax, Math.max(silenceMsMin, silenceMs)));
}
