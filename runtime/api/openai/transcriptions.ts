/** `POST /v1/audio/transcriptions` and `/translations` (docs/openai.md): a form with a file; the answer in the format that it asks for. */
import { Type } from "@sinclair/typebox";
import { identify } from "../../audio/identify.js";
import { sniffBytesMax } from "../../audio/sniff.js";
import { wavExtent } from "../../audio/wav-extent.js";
import type { Config } from "../../config/schema.js";
import { asCodedError, CodedError } from "../../errors.js";
import type { Lane } from "../../session/lane-port.js";
import { languageRules } from "../../session/wanted-language.js";
import type { FileIntake } from "../../tasks/intake/file-intake.js";
import type { TaskService } from "../../tasks/task-service.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import { tokenOfAnyClient } from "../credentials.js";
import type { ApiResponse, RequestContext } from "../exchange.js";
import { PieceMaker } from "../files/in-pieces.js";
import type { Metrics } from "../metrics/metrics.js";
import { sharerOf } from "../network-of.js";
import type { Route } from "../router.js";
import type { Spool, SpooledFile } from "../spooled-file.js";
import { readSpooledForm, type SpooledForm } from "../spooled-form.js";
import { answerTypes, writeAnswer } from "./answers.js";
import { openAiFailure } from "./error.js";
import { eventStream, type Sentence } from "./event-stream.js";
import { checkModel, checkTranslates, type InstalledModels } from "./models.js";
import { recognizeShort } from "./short-recognition.js";
import { recognizeAsTask } from "./task-recognition.js";
import type { Transcription } from "./transcription.js";
import {
	ownOptions,
	responseFormats,
	type TranscriptionRequest,
	transcriptionRequest,
	translationRequest,
} from "./transcription-request.js";

/** Audio of an unknown length above this rate counts as longer than `sync_seconds`; below it, recognition finds out. */
const bytesPerSecondMax = 32_000;
/** Of a request that can't become a task, since there are none. */
const secondsMaxAlone = 600;

export interface TranscriptionParts {
	/** In force: a reload may change it. */
	readonly endpoints: () => Config["endpoints"];
	readonly lane: Lane;
	readonly languages: readonly Language[];
	readonly wordLists: WordSource;
	readonly spool: Spool;
	readonly fileBytesMax: number;
	readonly models: InstalledModels;
	readonly metrics: Metrics;
	/** Absent: nothing becomes a task. */
	readonly files?: {
		readonly intake: FileIntake;
		readonly taskService: TaskService;
	};
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
	...{ file, model, language, response_format, temperature, prompt },
	...ownOptions.properties,
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
		"200005",
		"200006",
		"200007",
		"200008",
		"210404",
		"211404",
		"212404",
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
	const maker = new PieceMaker();
	const read = transcriptionRequest;
	return {
		...shared,
		path: "/v1/audio/transcriptions",
		description: { ...description, summary: "OpenAI: transcribe a file" },
		handle: (context) => transcribe(context, parts, maker, read),
	};
}

/** The same into English, where the model in use can. */
export function translationRoute(parts: TranscriptionParts): Route {
	const maker = new PieceMaker();
	const read = translationRequest;
	return {
		...shared,
		path: "/v1/audio/translations",
		description: {
			...description,
			summary: "OpenAI: translate a file into English",
			body: { type: "multipart/form-data", schema: translationForm },
		},
		handle: (context) => transcribe(context, parts, maker, read),
	};
}

/** whisper.cpp's server: the same fields and answers, and `translate` for the other task. */
export function inferenceRoute(parts: TranscriptionParts): Route {
	const maker = new PieceMaker();
	const read: typeof transcriptionRequest = (texts, rules) =>
		texts.get("translate")?.[0] === "true"
			? translationRequest(texts, rules)
			: transcriptionRequest(texts, rules);
	return {
		...shared,
		path: "/inference",
		endpoint: "whisper_cpp",
		description: {
			...description,
			summary: "whisper.cpp: transcribe a file",
			body: { type: "multipart/form-data", schema: translationForm },
		},
		handle: (context) => transcribe(context, parts, maker, read),
	};
}

async function transcribe(
	context: RequestContext,
	parts: TranscriptionParts,
	maker: PieceMaker,
	readRequest: typeof transcriptionRequest,
): Promise<ApiResponse> {
	const { request, principal, measured } = context;
	const sharer = sharerOf(principal, request);
	const form = await readSpooledForm(request, sharer, {
		spool: parts.spool,
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
		const transcription = await recognize(context, form, wanted, parts);
		measured.final();
		return answered(wanted, transcription, maker, headers);
	} finally {
		if (!isHandedOver) await form.file.release();
	}
}

async function checkedRequest(
	{ texts }: SpooledForm,
	{ endpoints, languages, models }: TranscriptionParts,
	readRequest: typeof transcriptionRequest,
): Promise<TranscriptionRequest> {
	const settings = endpoints();
	const wanted = readRequest(texts, {
		installed: languages,
		languageRules: languageRules(settings.default_language, settings.languages),
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
	form: SpooledForm,
	wanted: TranscriptionRequest,
	parts: TranscriptionParts,
	more: Readonly<Record<string, string>>,
): ApiResponse {
	const { measured, request } = context;
	const release = () => void form.file.release().catch(() => {});
	const recognized: Parameters<typeof eventStream>[1] = async (onSentence) => {
		try {
			const transcription = await recognize(
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
			// the answer may have begun, with the status of a success
			const { status } = asCodedError(thrown);
			measured.ended(request.signal.aborted ? "gone" : status);
			throw thrown;
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
		headers: { "Content-Type": "text/event-stream", ...more },
		body: { pieces, discard: release },
	};
}

/** @param onSentence called while it is recognized, where its length is known. */
async function recognize(
	context: RequestContext,
	form: SpooledForm,
	wanted: TranscriptionRequest,
	parts: TranscriptionParts,
	onSentence?: (sentence: Sentence) => void,
): Promise<Transcription> {
	const transcription = await shortOrTask(
		context,
		form,
		wanted,
		parts,
		onSentence,
	);
	context.measured.heard(transcription.audioMs / 1000);
	return transcription;
}

async function shortOrTask(
	{ request, principal, log }: RequestContext,
	{ file, fileName }: SpooledForm,
	wanted: TranscriptionRequest,
	parts: TranscriptionParts,
	onSentence?: (sentence: Sentence) => void,
): Promise<Transcription> {
	const { endpoints, files, lane, wordLists, metrics } = parts;
	const { sync_seconds: syncSeconds, wait_seconds: waitSecondsMax } =
		endpoints();
	const { signal } = request;
	const caller = { sharer: sharerOf(principal, request), signal };
	const { clusters, channels } = wanted.options;
	const needsTask = clusters !== undefined || channels === 2;
	const secondsMax = files ? syncSeconds : secondsMaxAlone;
	const seconds = await lengthOf(file);
	const mayBeShort =
		seconds === undefined
			? file.bytes <= secondsMax * bytesPerSecondMax
			: seconds <= secondsMax;
	if (!files && needsTask)
		throw new CodedError("200002", "speakers can't be told apart here");
	if (!files || (mayBeShort && !needsTask)) {
		// a joiner follows from the language, which must not change any more
		let isSettled = wanted.languages.languageChoices === undefined;
		let isFirst = true;
		const short = await recognizeShort(
			file,
			wanted,
			{ lane, wordLists, metrics, installed: parts.languages, secondsMax },
			caller,
			(event) => {
				if (event.is !== "final") return;
				if (isFirst) isSettled ||= event.language !== undefined;
				isFirst = false;
				const { language = wanted.languages.language } = event;
				if (isSettled && seconds !== undefined)
					onSentence?.({ text: event.utterance.text, language });
			},
		);
		if (short) return short;
		if (!files)
			throw new CodedError(
				"200005",
				`audio must be at most ${secondsMax} seconds long`,
				{ param: "file" },
			);
	}
	const submitting = { ...caller, owner: principal.owner, log, fileName };
	const taskParts = { ...files, lane, waitSecondsMax };
	return recognizeAsTask(file, wanted, taskParts, submitting);
}

/** Seconds of audio, where the header says so. @throws CodedError 200006 */
async function lengthOf(file: SpooledFile): Promise<number | undefined> {
	const head = await file.read(0, sniffBytesMax);
	const found = identify("auto", head, head.length === file.bytes);
	if (found !== "wav") return undefined;
	const { format, frames } = await wavExtent(file);
	return format.codec === "other" ? undefined : frames / format.sampleRateHz;
}
