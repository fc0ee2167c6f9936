/** The form of an upload, declared once (docs/interface.md section 4.4): used for validation, for OpenAPI, and to build the stored options. */

import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { oneOf } from "../../json/validate.js";
import { sharedOptions } from "../../session/request-options.js";
import {
	recognitionOf,
	referencesOf,
} from "../../session/requested-recognition.js";
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";
import type { FileOptions, Variant } from "../file-options.js";
import { audioSecondsMax } from "../file-options.js";
import { formatsOf } from "./limits.js";

const paragraphCharactersMin = 100;
const paragraphCharactersMax = 2000;

/** "0 and 2 to 10" can't be expressed with minimum and maximum. */
function clustersOf(variant: Variant) {
	const numbers = Array.from({ length: 11 }, (_, count) => count);
	return Type.Optional(
		Type.Unsafe<number>({
			type: "integer",
			enum: variant === "vip" ? numbers.filter((it) => it !== 1) : numbers,
			"x-expects":
				variant === "vip"
					? "0 or an integer from 2 to 10"
					: "an integer from 0 to 10",
			description:
				"Speakers to tell apart by their voices; 0: as many as there are.",
		}),
	);
}

function uploadOptions(variant: Variant) {
	const { audio_url: _, enable_spoken: __, ...common } = sharedOptions;
	const { default: ___, ...formatOptions } = common.format;
	return Type.Object({
		...common,
		file_url: Type.Optional(
			Type.String({ description: "URL of the file, if it is not sent." }),
		),
		format: oneOf(formatsOf[variant], {
			...formatOptions,
			enum: formatsOf[variant],
			"x-expects": `one of ${formatsOf[variant].join(", ")}`,
			description:
				"Format of the file; pcm is signed 16-bit little-endian, its channels interleaved.",
		}),
		output: oneOf(["text", "subtitle"], {
			default: "text",
			description: "A segment is a sentence, or a line of a subtitle.",
		}),
		max_sentence_silence: Type.Optional(
			Type.Integer({
				minimum: 200,
				maximum: 1200,
				description:
					"Silence that ends a sentence, ms; 800 for general, 250 for call-center.",
			}),
		),
		enable_modal_particle_filter: Type.Boolean({
			default: false,
			description: "Leave out filler words.",
		}),
		enable_punctuation_prediction: Type.Optional(
			Type.Boolean({ description: "True for text, false for subtitle." }),
		),
		words_type: Type.Integer({
			minimum: 0,
			maximum: 1,
			default: 0,
			description: "0 words, 1 characters; Mandarin only.",
		}),
		clusters: clustersOf(variant),
		channels: Type.Integer({
			minimum: 1,
			maximum: 2,
			default: 1,
			description: "2: each channel is a separate speaker.",
		}),
		keywords_quantity: Type.Integer({
			minimum: 0,
			maximum: 100,
			default: 0,
			description: "Maximum number of keywords.",
		}),
		callback_url: Type.Optional(
			Type.String({
				description: "Called when the task is completed or has failed.",
			}),
		),
		enable_lang_label: Type.Boolean({
			default: false,
			description: "Japanese-English and Chinese-English mixed only.",
		}),
		paragraph_condition: Type.Integer({
			default: 0,
			description: `Characters after which the same speaker's next sentence begins a paragraph, ${paragraphCharactersMin} to ${paragraphCharactersMax}; anything else turns it off.`,
		}),
	});
}

/** For OpenAPI: the form with its file. */
export function uploadForm(variant: Variant) {
	const file = Type.String({
		format: "binary",
		description: "The file to transcribe; takes precedence over file_url.",
	});
	return Type.Object({
		file: Type.Optional(file),
		...uploadSchemas[variant].properties,
	});
}

export const uploadSchemas = {
	standard: uploadOptions("standard"),
	vip: uploadOptions("vip"),
} as const;

export type UploadOptions = Static<ReturnType<typeof uploadOptions>>;

/**
 * The options that are stored with the task. Options that the language does not support are ignored (docs/decisions.md section 11).
 * @param installed languages of the installed models.
 * @throws CodedError 200002, 200008
 */
export function fileOptionsOf(
	values: UploadOptions,
	variant: Variant,
	installed: readonly Language[],
): FileOptions {
	const language = values.lang_type;
	const punctuation =
		values.enable_punctuation_prediction ?? values.output === "text";
	const recognition = recognitionOf(
		{
			...values,
			enable_punctuation_prediction: punctuation,
			enable_spoken: false,
			duration: audioSecondsMax[variant],
		},
		installed,
	);
	const { durationSecondsMax: _, partials: __, ...kept } = recognition;
	const paragraph = values.paragraph_condition;
	return {
		...kept,
		...referencesOf(values),
		variant,
		channels: values.channels === 2 ? 2 : 1,
		output: values.output,
		wordsType: language === "zh-cmn-Hans-CN" && values.words_type === 1 ? 1 : 0,
		...(values.clusters !== undefined && { clusters: values.clusters }),
		keywordsQuantity: values.keywords_quantity,
		langLabel: values.enable_lang_label && pairOf(language) !== undefined,
		...(paragraph >= paragraphCharactersMin &&
			paragraph <= paragraphCharactersMax && {
				paragraphCondition: paragraph,
			}),
		...(values.callback_url !== undefined && {
			callbackUrl: values.callback_url,
		}),
	};
}

/** @param objection of the outbound policy. @throws CodedError 200002 */
export function checkCallback(
	{ callback_url: url }: UploadOptions,
	objection: (url: string) => string | undefined,
): void {
	const why = url === undefined ? undefined : objection(url);
	if (why !== undefined)
		throw new CodedError("200002", `callback_url is not allowed: ${why}`);
}
