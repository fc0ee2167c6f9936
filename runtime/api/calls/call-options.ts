/** The options of a call's leg, as the query of its WebSocket has them, and what they mean for its recognition and for the transcript. Defaults are those of a call centre. */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { oneOf, parseTexts } from "../../json/validate.js";
import {
	formatOf,
	type RawAudio,
	rawAudio,
	rawEncodings,
} from "../../session/audio-source.js";
import {
	defaultSwitches,
	endlessSpeech,
	type ListReferences,
	type RecognitionOptions,
} from "../../session/options.js";
import { sharedOptions } from "../../session/request-options.js";
import {
	callCenterDefaults,
	referencesOf,
} from "../../session/requested-recognition.js";
import {
	type LanguageChoiceRules,
	type LanguageOptions,
	languageOptions,
} from "../../session/wanted-language.js";
import type { FileOptions } from "../../tasks/file-options.js";
import { resultRecognitionOptions } from "../../tasks/result/parts.js";
import type { Language } from "../../text/languages.js";
import { lowerCaseOf } from "../../text/lower-case.js";
import type { ReferredWords, WordSource } from "../../word-lists/references.js";
import type { CallStart } from "./dialect.js";

/** Without spaces and control characters: they are part of paths and messages. */
const name = (lengthMax: number) => `^[!-~]{1,${lengthMax}}$`;
/** As telephone systems write them. */
const encodingNames: Readonly<Record<string, string>> = {
	l16: "pcm_s16le",
	linear16: "pcm_s16le",
	slin: "pcm_s16le",
	ulaw: "mulaw",
	pcmu: "mulaw",
	pcma: "alaw",
};

export const callOptions = Type.Object({
	lang_type: Type.Optional(
		Type.String({
			maxLength: 64,
			description:
				"Language: a value of lang_type, a tag like ja or en-GB, or auto (default).",
		}),
	),
	rate: Type.Integer({
		minimum: 4000,
		maximum: 384_000,
		default: callCenterDefaults.rateHz,
		description: "Hz.",
	}),
	encoding: oneOf(rawEncodings, {
		default: "pcm_s16le",
		"x-normalise": (text: string) => {
			const name = lowerCaseOf(text);
			return encodingNames[name] ?? name;
		},
		description: "Also accepted: l16, linear16, slin, ulaw, pcmu, pcma.",
	}),
	channels: Type.Integer({
		minimum: 1,
		maximum: 2,
		default: 1,
		description: "2: two legs of the call, interleaved, the caller first.",
	}),
	call: Type.Optional(
		Type.String({
			pattern: name(100),
			"x-expects": "1 to 100 printable ASCII characters without spaces",
			description:
				"Legs with the same name are one call; absent: a call of its own.",
		}),
	),
	leg: Type.Optional(
		Type.String({
			pattern: name(32),
			"x-expects": "1 to 32 printable ASCII characters without spaces",
			description:
				"1 or 2, or any name: the first of a call is speaker 1, the second speaker 2.",
		}),
	),
	interim: Type.Optional(
		Type.Boolean({ description: "Partial results, too." }),
	),
	max_sentence_silence: sharedOptions.max_sentence_silence,
	hotwords_id: sharedOptions.hotwords_id,
	correction_words_id: sharedOptions.correction_words_id,
	forbidden_words_id: sharedOptions.forbidden_words_id,
});

export type CallOptions = Static<typeof callOptions>;

export const callOptionNames = Object.keys(callOptions.properties);

/** What options are checked against, and what the configuration adds. */
export interface CallOptionSources {
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	/** `calls.callback_url` */
	readonly callbackUrl?: string;
}

export interface WantedCall {
	readonly call?: string;
	readonly leg?: string;
	readonly audio: RawAudio;
	/** Word lists are looked up by each call: they may have changed. One that was deleted meanwhile still counts. */
	readonly recognition: () => RecognitionOptions;
	readonly transcript: FileOptions;
}

/** What a connection gives by name, in its start message and in its query. */
export function givenOptions(
	{ first, last }: CallStart,
	query: string,
): ReadonlyMap<string, string> {
	const given = new Map<string, string>();
	for (const [key, text] of [
		...Object.entries(last),
		...new URLSearchParams(query),
		...Object.entries(first),
	])
		if (text !== undefined) given.set(key, text);
	return given;
}

/** @throws CodedError that names the parameter. */
export function readCallOptions(
	given: ReadonlyMap<string, string>,
): CallOptions {
	const texts = new Map([...given].map(([key, text]) => [key, [text]]));
	return parseTexts(callOptions, texts).values;
}

/** @param partials wanted by anybody. @throws CodedError that names the parameter. */
export function wantedCall(
	values: CallOptions,
	partials: boolean,
	sources: CallOptionSources,
): WantedCall {
	const { lang_type, call, leg } = values;
	const { languages, languageRules, wordLists, callbackUrl } = sources;
	if (values.channels === 2 && leg !== undefined)
		throw new CodedError(
			"200002",
			"leg can't be given with channels=2, which are both legs",
			{ param: "leg" },
		);
	const audio = rawAudio({ ...values, apart: true });
	const language = languageOptions(
		lang_type,
		languages,
		languageRules(),
		"lang_type",
	);
	const references: ListReferences = referencesOf({
		...values,
		hotwords_weight: sharedOptions.hotwords_weight.default as number,
	});
	const common = {
		...formatOf(audio),
		gain: callCenterDefaults.gain,
		maxSentenceSilenceMs:
			values.max_sentence_silence ?? callCenterDefaults.maxSentenceSilenceMs,
	};
	let words = wordLists.resolve(
		references,
		language.language,
		language.languageChoices,
	); // an unknown list is the client's to know now
	const recognition = (): RecognitionOptions => ({
		...language,
		...common,
		...defaultSwitches,
		...resultRecognitionOptions,
		...words,
		...endlessSpeech,
		keepsWhole: false,
		partials,
	});
	return {
		...(call !== undefined && { call }),
		...(leg !== undefined && { leg }),
		audio,
		recognition: () => {
			words = wordsNow(wordLists, references, language) ?? words;
			return recognition();
		},
		transcript: {
			language: language.language,
			...common,
			...defaultSwitches,
			...references,
			variant: "standard",
			channels: 2,
			output: "text",
			wordsType: 0,
			keywordsQuantity: 0,
			langLabel: false,
			...(callbackUrl !== undefined && { callbackUrl }),
		},
	};
}

/** The call goes on whatever happened to its lists. @returns undefined where one was deleted while it had no recognition */
function wordsNow(
	wordLists: WordSource,
	references: ListReferences,
	{ language, languageChoices }: LanguageOptions,
): ReferredWords | undefined {
	try {
		const now = wordLists.resolveAccepted(
			references,
			language,
			languageChoices,
		);
		return now.words;
	} catch (error) {
		if (error instanceof CodedError) return undefined;
		throw error;
	}
}
