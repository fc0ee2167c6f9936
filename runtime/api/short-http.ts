/**
 * `POST /v1/asr/api`: one body of audio, answered with its text. A slot is taken only when token and options are valid and the body is complete or arrives fast
 * (kept-body.ts); from then on it is sent to the engine as it arrives.
 */

import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { type AudioFormat, isRaw } from "../audio/container.js";
import { CodedError } from "../errors.js";
import { parseQuery } from "../json/validate.js";
import type { Lane } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { shortHttpOptions } from "../session/request-options.js";
import {
	isOneText,
	languageOf,
	recognitionOf,
	recordingOf,
	referencesOf,
} from "../session/requested-recognition.js";
import type { LanguageChoiceRules } from "../session/wanted-language.js";
import { wordFields } from "../session/word-fields.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { Language } from "../text/languages.js";
import type { WordSource } from "../word-lists/references.js";
import { audioErrors } from "./audio-errors.js";
import { success } from "./envelope.js";
import type { ApiRequest, ApiResponse, RequestContext } from "./exchange.js";
import { BodyKeep } from "./kept-body.js";
import type { MeasuredRequest } from "./metrics/endpoints.js";
import type { Metrics } from "./metrics/metrics.js";
import { isForm } from "./multipart.js";
import { sharerOf } from "./network-of.js";
import { type Completed, pipeToRecognition } from "./pipe-to-recognition.js";
import { baseUrlOf } from "./recordings/base-url.js";
import { resultNote } from "./result-note.js";
import type { Route } from "./router.js";

/** 96 kHz, stereo, 24 bits. A WAV may be labelled as pcm: its header takes precedence. */
const uncompressedBytesPerSecond = 600_000;
/** 512 kbit/s, doubled for containers with more than the audio. */
const compressedBytesPerSecond = 128_000;
/** Headers, cover art, an index. */
const containerBytes = 8 * 1024 * 1024;

const uncompressed: ReadonlySet<AudioFormat> = new Set(["wav", "flac", "auto"]);

function bodyBytesMaxOf(format: AudioFormat, durationSeconds: number): number {
	const bytesPerSecond =
		isRaw(format) || uncompressed.has(format)
			? uncompressedBytesPerSecond
			: compressedBytesPerSecond;
	return containerBytes + durationSeconds * bytesPerSecond;
}

export interface ShortHttpParts {
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	/** In force: a reload may change them. */
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	readonly audioBodyBytesMax: number;
	readonly metrics: Metrics;
	/** Holds bodies that are too large for memory until their request is answered. */
	readonly shelf: Pick<AudioShelf, "begin">;
	/** Stores audio on request; links to it begin with `publicUrl` (`server.public_url`), if set. */
	readonly recordings?: { readonly publicUrl: string };
}

const wordSchema = Type.Object({
	word: Type.String(),
	start_time: Type.Integer({ description: "ms" }),
	end_time: Type.Integer({ description: "ms" }),
	type: Type.String(),
	confidence: Type.Number(),
});

export function shortHttpRoute(parts: ShortHttpParts): Route {
	const keep = new BodyKeep(parts.shelf);
	return {
		method: "POST",
		path: "/v1/asr/api",
		access: "asr",
		endpoint: "asr",
		description: {
			summary: "Recognize one short recording",
			query: shortHttpOptions,
			body: {
				type: "application/octet-stream",
				schema: Type.String({ description: "the audio" }),
			},
			answer: Type.Object({
				task_id: Type.String(),
				result: Type.String(),
				lang_type: Type.Optional(
					Type.String({
						description: "the language that was identified, with auto",
					}),
				),
				spoken: Type.Optional(
					Type.String({
						description: "reading in katakana, with enable_spoken (Japanese)",
					}),
				),
				audio_url: Type.Optional(
					Type.String({
						description: "link to the stored audio, with audio_url",
					}),
				),
				words: Type.Optional(
					Type.Array(wordSchema, { description: "with enable_words" }),
				),
			}),
			errors: [
				"100003",
				"100004",
				"200001",
				"200002",
				"200004",
				...audioErrors,
			],
		},
		handle: (context) => recognize(context, parts, keep),
	};
}

async function recognize(
	context: RequestContext,
	parts: ShortHttpParts,
	keep: BodyKeep,
): Promise<ApiResponse> {
	const { request, principal, log } = context;
	const { languages, languageRules, wordLists, recordings } = parts;
	// its bytes would pass for samples; without a boundary the header is a mistake, and the body audio
	if (isForm(request) && hasBoundary(request)) throw aForm();
	const { values, unknown } = parseQuery(shortHttpOptions, request.query);
	if (unknown.length > 0) log.debug({ unknown }, "unknown parameters ignored");
	const { lang_type: name } = values;
	const spoken = languageOf(name, languages, languageRules());
	const { language, languageChoices } = spoken;
	const options = {
		...recognitionOf({ ...values, ...spoken, lang_type: language }, languages),
		...wordLists.resolve(referencesOf(values), language, languageChoices),
		dynamicBreak: values.enable_dynamic_break,
		oneText: isOneText(values),
		...recordingOf(
			values,
			recordings && {
				owner: principal.owner,
				baseUrl: baseUrlOf(request, recordings.publicUrl),
			},
		),
	};
	const release = wordLists.hold(options);
	try {
		const completed = await recognizeBody(context, options, parts, keep);
		const { text, spoken: reading, words, recording, audioMs } = completed;
		context.measured.audioRecognized(audioMs / 1000);
		context.measured.final();
		const data = {
			task_id: randomBytes(16).toString("hex"),
			result: text,
			...(completed.language && { lang_type: completed.language }),
			...(reading !== undefined && { spoken: reading }),
			...(recording?.is === "kept" && { audio_url: recording.url }),
			...(values.enable_words && { words: words.map(wordFields) }),
		};
		return success(data, resultNote(completed));
	} finally {
		release();
	}
}

async function recognizeBody(
	{ request, principal, measured }: RequestContext,
	options: RecognitionOptions,
	{ lane, audioBodyBytesMax, metrics }: ShortHttpParts,
	keep: BodyKeep,
): Promise<Completed> {
	const bytesMax = Math.min(
		bodyBytesMaxOf(options.format, options.durationSecondsMax),
		audioBodyBytesMax,
	);
	const { signal } = request;
	const sharer = sharerOf(principal, request);
	const source = request.body(bytesMax)[Symbol.asyncIterator]();
	const body = keep.keep(source, sharer);
	let startedMs = 0;
	let completed: Completed | undefined;
	try {
		await body.untilWholeOrFast();
		if (body.bytes === 0) throw new CodedError("200007");
		while (!completed) {
			const recognition = await lane.open(options, sharer, signal);
			startedMs = performance.now();
			completed = await pipeToRecognition(
				{ read: () => endMeasured(body.read(), measured) },
				recognition,
				signal,
			);
			if (!completed) await body.untilWhole();
		}
	} finally {
		body.release();
	}
	if (completed.why === "duration") {
		throw new CodedError(
			"200005",
			`audio must be at most ${options.durationSecondsMax} seconds long (duration), this is longer`,
		);
	}
	metrics.audioRecognized(
		completed.audioMs / 1000,
		(performance.now() - startedMs) / 1000,
	);
	return completed;
}

function hasBoundary(request: ApiRequest): boolean {
	return /;\s*boundary=/i.test(request.header("content-type") ?? "");
}

function aForm(): CodedError {
	const message = "body must be the audio itself, not multipart/form-data";
	return new CodedError("200006", message);
}

async function* endMeasured(
	body: AsyncGenerator<Uint8Array>,
	measured: MeasuredRequest,
): AsyncGenerator<Uint8Array> {
	yield* body;
	measured.audioEnded();
}
