/**
 * `POST /v1/asr/api`: one body of audio in, its text out. A slot is taken only when token and options are good and the body is here
 * or comes fast (upload-lobby.ts); from then on it goes to the engine as it comes.
 */
import { randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { CodedError } from "../errors.js";
import type { Language } from "../models/recognizer.js";
import type { SessionEvent, Word } from "../session/events.js";
import type { Lane, Recognition } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { audioBytesMax } from "./body-limit.js";
import { success } from "./envelope.js";
import type { ApiResponse, RequestContext } from "./exchange.js";
import type { Metrics } from "./metrics/metrics.js";
import {
	hearsPassages,
	recognitionOf,
	recordingOf,
	shortHttpOptions,
} from "./recognition-options.js";
import { baseUrlOf } from "./recordings/base-url.js";
import { lostText } from "./recordings/lost-text.js";
import type { WordSource } from "./references.js";
import type { Route } from "./router.js";
import { sharerOf } from "./sharer.js";
import { type Gathered, UploadLobby } from "./upload-lobby.js";
import { parseQuery } from "./validate.js";

export interface ShortHttpParts {
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly wordLists: WordSource;
	readonly audioBodyBytesMax: number;
	readonly metrics: Metrics;
	/** Audio is stored for who asks for it; links to it begin with this (`server.public_url`), if anything. */
	readonly recordings?: { readonly publicUrl: string };
}

type Completed = Extract<SessionEvent, { is: "completed" }>;

const wordSchema = Type.Object({
	word: Type.String(),
	start_time: Type.Integer({ description: "ms" }),
	end_time: Type.Integer({ description: "ms" }),
	type: Type.String(),
	confidence: Type.Number(),
});

export function shortHttpRoute(parts: ShortHttpParts): Route {
	const lobby = new UploadLobby();
	return {
		method: "POST",
		path: "/v1/asr/api",
		access: "asr",
		description: {
			summary: "Recognise one short recording",
			query: shortHttpOptions,
			body: {
				type: "application/octet-stream",
				schema: Type.String({ description: "the audio" }),
			},
			answer: Type.Object({
				task_id: Type.String(),
				result: Type.String(),
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
				"200005",
				"200006",
				"200007",
				"200008",
				"210404",
				"211404",
				"212404",
			],
		},
		handle: (context) => recognise(context, parts, lobby),
	};
}

async function recognise(
	context: RequestContext,
	parts: ShortHttpParts,
	lobby: UploadLobby,
): Promise<ApiResponse> {
	const { request, principal, log } = context;
	const { languages, wordLists, recordings } = parts;
	const { values, unknown } = parseQuery(shortHttpOptions, request.query);
	if (unknown.length > 0) log.debug({ unknown }, "unknown parameters ignored");
	const options = {
		...recognitionOf(values, languages),
		...wordLists.resolve(values, values.lang_type),
		oneText: hearsPassages(values),
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
		const completed = await hear(context, options, parts, lobby);
		const { text, spoken, words, recording } = completed;
		const data = {
			task_id: randomBytes(16).toString("hex"),
			result: text,
			...(spoken !== undefined && { spoken }),
			...(recording?.is === "kept" && { audio_url: recording.url }),
			...(values.enable_words && { words: words.map(wordOf) }),
		};
		return recording?.is === "lost"
			? success(data, lostText(recording))
			: success(data);
	} finally {
		release();
	}
}

async function hear(
	{ request, principal }: RequestContext,
	options: RecognitionOptions,
	{ lane, audioBodyBytesMax, metrics }: ShortHttpParts,
	lobby: UploadLobby,
): Promise<Completed> {
	const bytesMax = Math.min(
		audioBytesMax(options.format, options.durationSecondsMax),
		audioBodyBytesMax,
	);
	const body = request.body(bytesMax)[Symbol.asyncIterator]();
	const gathered = await lobby.gather(body);
	if (gathered.chunks.length === 0) throw new CodedError("200007");
	let startedMs = 0;
	let completed: Completed;
	try {
		const recognition = await lane.open(
			options,
			sharerOf(principal, request),
			request.signal,
		);
		startedMs = performance.now();
		completed = await carry(gathered, body, recognition, request.signal);
	} finally {
		gathered.release();
	}
	if (completed.why === "duration") {
		throw new CodedError(
			"200005",
			`audio must be at most ${options.durationSecondsMax} seconds long (duration), this is longer`,
		);
	}
	metrics.recognised(
		completed.audioMs / 1000,
		(performance.now() - startedMs) / 1000,
	);
	return completed;
}

/** Body to recognition, until that has said its last word; whatever goes wrong, it is not left running. */
async function carry(
	gathered: Gathered,
	rest: AsyncIterator<Uint8Array>,
	recognition: Recognition,
	signal: AbortSignal,
): Promise<Completed> {
	const cancel = () => recognition.cancel();
	signal.addEventListener("abort", cancel, { once: true });
	const over = lastEvent(recognition);
	over.catch(() => {}); // looked at below, maybe after the pump has failed first
	try {
		// a recognition may end before its audio does: too long, unreadable
		await Promise.race([pump(gathered, rest, recognition, over), over]);
		return await over;
	} catch (thrown) {
		cancel();
		throw thrown;
	} finally {
		signal.removeEventListener("abort", cancel);
		// not waited for: it may be waiting for bytes that nobody wants any more
		rest.return?.().catch(() => {});
	}
}

async function pump(
	gathered: Gathered,
	rest: AsyncIterator<Uint8Array>,
	recognition: Recognition,
	over: Promise<unknown>,
): Promise<void> {
	let drained: (() => void) | undefined;
	recognition.onDrain(() => drained?.());
	for await (const chunk of inOrder(gathered, rest)) {
		const room = new Promise<void>((resolve) => {
			drained = resolve;
		});
		if (!recognition.write(chunk)) await Promise.race([room, over]);
	}
	recognition.finish();
}

async function* inOrder(
	{ chunks, whole }: Gathered,
	rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield* chunks;
	if (whole) return;
	for (let next = await rest.next(); !next.done; next = await rest.next())
		yield next.value;
}

async function lastEvent(recognition: Recognition): Promise<Completed> {
	let completed: Completed | undefined;
	for await (const event of recognition.events)
		if (event.is === "completed") completed = event;
	if (!completed) throw new Error("a recognition ended without a result");
	return completed;
}

function wordOf(word: Word) {
	return {
		word: word.text,
		start_time: word.startMs,
		end_time: word.endMs,
		type: word.kind,
		confidence: word.confidence,
	};
}
