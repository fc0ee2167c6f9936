/**
 * The options of a start message (docs/interface.md sections 2.3 and 4.2), declared once, and their meaning for a recognition.
 * A transcriber runs until the client stops it: it has neither `duration` nor `max_suffix_silence`.
 */

import { type Static, Type } from "@sinclair/typebox";
import type { RequestFormat } from "../../audio/container.js";
import { CodedError } from "../../errors.js";
import { fits } from "../../json/json-schema.js";
import { parseJson } from "../../json/validate.js";
import type { RecognitionOptions } from "../../session/options.js";
import {
	dynamicBreak,
	formatOption,
	languageOrAuto,
	sharedOptions,
} from "../../session/request-options.js";
import {
	isOneText,
	languageOf,
	type RecordingCaller,
	recognitionOf,
	recordingOf,
	referencesOf,
} from "../../session/requested-recognition.js";
import type { LanguageChoiceRules } from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import { parseWakeWords, wakeWordsMax } from "../../words/wake-word.js";
import type { Namespace } from "./server-message.js";

/** Formats that can be decoded while they arrive; the others have their index at the end. */
const streamedFormats = [
	"pcm",
	"wav",
	"opus",
	"mp3",
	"aac",
	"amr",
	"flac",
	"ogg",
	"webm",
	"pcm_s16le",
	"mulaw",
	"alaw",
] as const satisfies readonly RequestFormat[];

const userId = Type.String({
	maxLength: 36,
	description: "Returned in every message.",
});

const liveOptions = {
	...sharedOptions,
	lang_type: languageOrAuto,
	format: formatOption(streamedFormats),
	enable_intermediate_result: Type.Boolean({
		default: true,
		description: "Send results while a sentence is spoken.",
	}),
	enable_intermediate_words: Type.Boolean({
		default: false,
		description: "Send their words, too.",
	}),
	enable_dynamic_break: dynamicBreak,
	connect_timeout: Type.Integer({
		minimum: 5,
		maximum: 60,
		default: 10,
		description: "Seconds without audio after which the session ends.",
	}),
	user_id: Type.Optional(userId),
};

/** `StartTranscription` */
export const transcriberOptions = Type.Object({
	...liveOptions,
	wake_words: Type.Optional(
		Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
			maxItems: wakeWordsMax,
			description:
				"Chinese phrases of 3 to 10 characters, or phrase:threshold (0.05 to 0.95); speech is recognized only after one of them, until a pause. They need a second ear.",
		}),
	),
	wake_seconds: Type.Integer({
		minimum: 2,
		maximum: 60,
		default: 6,
		description: "Time after a wake word in which speech must begin, seconds.",
	}),
});

/** `StartRecognition` */
export const recognizerOptions = Type.Object({
	...liveOptions,
	max_suffix_silence: Type.Union(
		[Type.Literal(-1), Type.Number({ minimum: 0, maximum: 10 })],
		{
			default: 0,
			description:
				"Complete after so many seconds of silence behind speech; 0: never; -1: as soon as the speech ends.",
		},
	),
	duration: Type.Integer({
		minimum: 60,
		maximum: 600,
		default: 60,
		description: "Longest audio, seconds; past it the result is completed.",
	}),
});

type TranscriberOptions = Static<typeof transcriberOptions>;
type SharedLiveOptions = Omit<
	TranscriberOptions,
	"wake_words" | "wake_seconds"
>;
type RecognizerOptions = Static<typeof recognizerOptions>;

export interface LiveOptions {
	readonly recognition: RecognitionOptions;
	/** Final results have words; those of the recognition may be for intermediate results only. */
	readonly finalWords: boolean;
	readonly connectTimeoutSeconds: number;
	/** Undefined where the client gave none. */
	readonly userId: string | undefined;
	/** Unknown keys of the payload. */
	readonly unknown: readonly string[];
}

/** @returns `user_id` of a start that is refused for something else: every message returns it. */
export function userIdOf({
	user_id,
}: Readonly<Record<string, unknown>>): string | undefined {
	return fits(userId, user_id) ? user_id : undefined;
}

/** The sources that options are checked against. */
export interface OptionSources {
	/** Of the installed models. */
	readonly languages: readonly Language[];
	/** For `auto`; absent: none are configured. */
	readonly languageRules?: LanguageChoiceRules;
	readonly wordLists: WordSource;
	/** Owner of the recordings; absent where no audio is stored. */
	readonly recordings?: RecordingCaller;
}

/**
 * @param payload of the start message; empty if absent.
 * @param sources languages of the installed models, and the word lists.
 * @throws CodedError that names the parameter.
 */
export function readOptions(
	namespace: Namespace,
	payload: Readonly<Record<string, unknown>>,
	sources: OptionSources,
): LiveOptions {
	return namespace === "SpeechRecognizer"
		? readRecognizer(payload, sources)
		: readTranscriber(payload, sources);
}

function readRecognizer(payload: object, sources: OptionSources): LiveOptions {
	const { values, unknown } = parseJson(recognizerOptions, payload);
	const { max_suffix_silence: seconds, duration } = values;
	const live = liveOf(values, duration, sources);
	const spoken = { ...live.recognition, oneText: isOneText(values) };
	const suffixSilenceMs = suffixSilenceOf(seconds, spoken);
	const recognition: RecognitionOptions =
		suffixSilenceMs === undefined ? spoken : { ...spoken, suffixSilenceMs };
	return { ...live, recognition, unknown };
}

function readTranscriber(payload: object, sources: OptionSources): LiveOptions {
	const { values, unknown } = parseJson(transcriberOptions, payload);
	const endless = Number.POSITIVE_INFINITY;
	const live = liveOf(values, endless, sources);
	return {
		...live,
		recognition: {
			...live.recognition,
			...wakeOf(values),
			keepsWhole: false,
		},
		unknown,
	};
}

/** @throws CodedError 200002 */
function wakeOf({
	wake_words: entries = [],
	wake_seconds: seconds,
}: TranscriberOptions): Pick<RecognitionOptions, "wake"> {
	if (entries.length === 0) return {};
	const words = parseWakeWords(entries);
	if ("fault" in words)
		throw new CodedError("200002", `wake_words ${words.fault}`);
	return { wake: { words, seconds } };
}

/** -1: the end of speech, which in a passage is where a sentence would end; 0: nothing ends it. */
function suffixSilenceOf(
	seconds: RecognizerOptions["max_suffix_silence"],
	{ oneText, maxSentenceSilenceMs }: RecognitionOptions,
): number | undefined {
	if (seconds === 0) return undefined;
	if (seconds === -1) return oneText ? maxSentenceSilenceMs : 0;
	return Math.round(seconds * 1000);
}

function liveOf(
	values: SharedLiveOptions,
	duration: number,
	sources: OptionSources,
): Omit<LiveOptions, "unknown"> {
	const { languages, languageRules, wordLists } = sources;
	const spoken = languageOf(values.lang_type, languages, languageRules);
	const { language, languageChoices } = spoken;
	const partialWords =
		values.enable_intermediate_result && values.enable_intermediate_words;
	const recognition: RecognitionOptions = {
		...recognitionOf(
			{ ...values, ...spoken, lang_type: language, duration },
			languages,
		),
		...wordLists.resolve(referencesOf(values), language, languageChoices),
		...recordingOf(values, sources.recordings),
		completeAtDuration: true,
		streamed: true,
		dynamicBreak: values.enable_dynamic_break,
		partials: values.enable_intermediate_result,
		partialWords,
		// an intermediate result repeats what is final of its text, with its words
		words: values.enable_words || partialWords,
	};
	return {
		recognition,
		finalWords: values.enable_words,
		connectTimeoutSeconds: values.connect_timeout,
		userId: values.user_id,
	};
}
