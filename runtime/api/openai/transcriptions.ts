/** `POST /v1/audio/transcriptions` and `/translations` (docs/openai.md): a form with a file; the answer in the format that it asks for. */
import { Type } from "@sinclair/typebox";
import { asCodedError, CodedError } from "../../errors.js";
import { audioErrors } from "../audio-errors.js";
import { tokenOfAnyClient } from "../credentials.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import type { PieceMaker } from "../in-pieces.js";
import type { FileKeep } from "../kept-file.js";
import { type KeptForm, readKeptForm } from "../kept-form.js";
import { languageRulesOf } from "../language-rules.js";
import { sharerOf } from "../network-of.js";
import type { Route } from "../router.js";
import { answerTypes, writeAnswer } from "./answers.js";
import { openAiFailure } from "./error.js";
import { eventStream } from "./event-stream.js";
import { checkModel, checkTranslates, type InstalledModels } from "./models.js";
import type { Transcription } from "./transcription.js";
import {
	type RecognitionParts,
	recognizeForm,
} from "./transcription-recognition.js";
import {
	ownOptions,
	responseFormats,
	type TranscriptionRequest,
	transcriptionRequest,
	translationRequest,
} from "./transcription-request.js";

export interface TranscriptionParts extends RecognitionParts {
	readonly fileKeep: FileKeep;
	readonly fileBytesMax: number;
	readonly models: InstalledModels;
	readonly pieces: PieceMaker;
}

const form = Type.Object({
	file: Type.String({ format: "binary", description: "The audio." }),
	model: Type.Optional(
		Type.String({ description: "Any name means the installed model." }),
	),
	language: Type.Optional(
		Type.String({ description: "en, ja, zh, ...; absent: identified." }),
	),
	response_format: Type.Optional(
		Type.Union(responseFormats.map((it) => Type.Literal(it))),
	),
	"timestamp_granularities[]": Type.Optional(Type.Array(Type.String())),
	stream: Type.Optional(Type.Boolean()),
	temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
	prompt: Type.Optional(Type.String()),
	"keywords[]": Type.Optional(Type.Array(Type.String())),
	"languages[]": Type.Optional(Type.Array(Type.String())),
	"include[]": Type.Optional(Type.Array(Type.String())),
	chunking_strategy: Type.Optional(Type.String()),
	...ownOptions.properties,
});

const { file, model, language, response_format, temperature, prompt } =
	form.properties;
const translationForm = Type.Object({
	file,
	model,
	language,
	response_format,
	temperature,
	prompt,
	...ownOptions.properties,
});

const inferenceForm = Type.Object({
	...translationForm.properties,
	translate: Type.Optional(
		Type.Boolean({ description: "true: in English, as a translation" }),
	),
});

const description = {
	body: { type: "multipart/form-data", schema: form },
	answer: Type.Object({ text: Type.String() }),
	answerType: "application/json",
	errors: [
		"100001",
		"100003",
		"100004",
		"100006",
		"200001",
		"200002",
		"200003",
		"200004",
		...audioErrors,
	],
} as const;

const shared = {
	method: "POST",
	access: "asr",
	tokenOf: tokenOfAnyClient,
	dialect: openAiFailure,
	endpoint: "openai",
} as const;

export function transcriptionRoute(parts: TranscriptionParts): Route {
	const read = transcriptionRequest;
	return {
		...shared,
		path: "/v1/audio/transcriptions",
		description: { ...description, summary: "OpenAI: transcribe a file" },
		handle: (context) => transcribe(context, parts, read),
	};
}

/** The same into English, where the model in use can. */
export function translationRoute(parts: TranscriptionParts): Route {
	const read = translationRequest;
	return {
		...shared,
		path: "/v1/audio/translations",
		description: {
			...description,
			summary: "OpenAI: translate a file into English",
			body: { type: "multipart/form-data", schema: translationForm },
		},
		handle: (context) => transcribe(context, parts, read),
	};
}

/** As whisper.cpp's server reads a field that is true or false. */
const yes = /^(true|1|yes|y)$/i;

/** whisper.cpp's server: the same fields and answers, and `translate` for the other task. */
export function inferenceRoute(parts: TranscriptionParts): Route {
	const read: typeof transcriptionRequest = (texts, rules) =>
		yes.test(texts.get("translate")?.[0] ?? "")
			? translationRequest(texts, rules)
			: transcriptionRequest(texts, rules);
	return {
		...shared,
		path: "/inference",
		endpoint: "whisper_cpp",
		description: {
			...description,
			summary: "whisper.cpp: transcribe a file, or translate it",
			body: { type: "multipart/form-data", schema: inferenceForm },
		},
		handle: (context) => transcribe(context, parts, read),
	};
}

async function transcribe(
	context: RequestContext,
	parts: TranscriptionParts,
	readRequest: typeof transcriptionRequest,
): Promise<ApiResponse> {
	const { request, principal, measured } = context;
	const sharer = sharerOf(principal, request);
	const form = await readKeptForm(request, sharer, {
		fileKeep: parts.fileKeep,
		fileBytesMax: parts.fileBytesMax,
		...(parts.files && { places: parts.files.intake.places }),
	});
	measured.audioEnded();
	let isHandedOver = false;
	try {
		const wanted = await checkedRequest(form, parts, readRequest);
		const headers = {
			"Cache-Control": "no-store",
			...(wanted.ignored.length > 0 && {
				"X-Earshot-Ignored": wanted.ignored.join(", "),
			}),
		};
		if (wanted.streams) {
			isHandedOver = true;
			return streamed(context, form, wanted, parts, headers);
		}
		const transcription = await recognizeForm(context, form, wanted, parts);
		measured.final();
		return answered(wanted, transcription, parts.pieces, headers);
	} finally {
		if (!isHandedOver) await form.file.release();
	}
}

async function checkedRequest(
	{ texts }: KeptForm,
	{ endpoints, languages, models }: TranscriptionParts,
	readRequest: typeof transcriptionRequest,
): Promise<TranscriptionRequest> {
	const settings = endpoints();
	const wanted = readRequest(texts, {
		installed: languages,
		languageRules: languageRulesOf(settings),
	});
	if (wanted.translates) await checkTranslates(models);
	if (settings.strict_models && wanted.model !== undefined)
		await checkModel(wanted.model, models);
	return wanted;
}

function answered(
	wanted: TranscriptionRequest,
	transcription: Transcription,
	maker: PieceMaker,
	more: Readonly<Record<string, string>>,
): ApiResponse {
	const headers = { "Content-Type": answerTypes[wanted.format], ...more };
	const texts = writeAnswer(wanted, transcription);
	if (transcription.text !== undefined) {
		const body = [...texts].join("");
		return { http: 200, headers, body };
	}
	const release = () => transcription.release();
	async function* pieces(): AsyncGenerator<string> {
		try {
			yield* maker.inPieces(texts);
		} finally {
			release();
		}
	}
	return { http: 200, headers, body: { pieces, discard: release } };
}

function streamed(
	context: RequestContext,
	form: KeptForm,
	wanted: TranscriptionRequest,
	parts: TranscriptionParts,
	more: Readonly<Record<string, string>>,
): ApiResponse {
	const { measured, request } = context;
	const release = () => void form.file.release().catch(() => {});
	const recognized: Parameters<typeof eventStream>[1] = async (onSentence) => {
		try {
			const transcription = await recognizeForm(
				context,
				form,
				wanted,
				parts,
				(sentence) => {
					measured.text();
					onSentence(sentence);
				},
			);
			measured.final();
			return transcription;
		} catch (thrown) {
			const { aborted, reason } = request.signal;
			const isStopping = reason instanceof CodedError;
			const error = isStopping ? reason : thrown;
			// the answer may have begun, with the status of a success
			const { status } = asCodedError(error);
			measured.ended(aborted && !isStopping ? "gone" : status);
			throw error;
		}
	};
	async function* pieces(): AsyncGenerator<string> {
		try {
			yield* eventStream(wanted, recognized);
		} finally {
			release();
		}
	}
	return {
		http: 200,
		headers: { "Content-Type": "text/event-stream; charset=utf-8", ...more },
		body: { pieces, discard: release },
	};
}
