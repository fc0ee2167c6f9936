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
	formatAliases,
	formatNamed,
	type RequestFormat,
	requestFormats,
} from "../audio/container.js";
import { rateHzMax, rateHzMin } from "../audio/sample-rate.js";
import { listOfText, oneOf } from "../json/validate.js";
import type { Language } from "../text/languages.js";
import { languages } from "../text/languages.js";
import { listIdCharactersMax, listIdPattern } from "../words/list-key.js";
import { languageNames } from "./languages.js";
import {
	hotwordsMaxOfRequest,
	hotwordsWeightDefault,
	type SwitchName,
	switches,
} from "./options.js";
import { wantedLanguage } from "./wanted-language.js";

/** Lists of one kind in one request: each is looked up. */
export const listsMaxOfRequest = 1000;

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
		maxLength: listsMaxOfRequest * (listIdCharactersMax + 1),
		pattern: `^${listIdPattern}(\\|${listIdPattern})*$`,
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
			maxItems: hotwordsMaxOfRequest,
			"x-normalise": listOfText,
			description:
				"Hotwords of this request; takes precedence over hotwords_id. As text: a JSON array, or words separated by |.",
		}),
	),
	hotwords_id: Type.Optional(
		Type.String({
			pattern: `^${listIdPattern}$`,
			"x-expects": `an id of at most ${listIdCharactersMax} letters, digits, _ and - characters`,
			description: "Id of a stored hotword database of this language.",
		}),
	),
	hotwords_weight: Type.Number({
		minimum: 0.1,
		maximum: 1,
		default: hotwordsWeightDefault,
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

export type SharedOptions = Static<TObject<typeof sharedOptions>>;
