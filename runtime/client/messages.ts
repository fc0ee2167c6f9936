/**
 * The messages of a streaming session on the wire (docs/interface.md sections 2.4 and 4.2; of the transcriber, section 10), and as the client returns them. A
 * server's message is validated before it is used: `parseMessage` returns undefined for an invalid one.
 */
export type Namespace = "SpeechRecognizer" | "SpeechTranscriber";

/** Options of a start message, with the names of the protocol. Absent: the service's default. */
export interface StartOptions {
	/** `zh-cmn-Hans-CN`, `en-US`, `ja-JP`, `zh-cmn-Hans-CN-en-US`, `ja-JP-en-US` or a short name of one; or `auto`. */
	readonly lang_type: string;
	/** `pcm` (16-bit little-endian mono), or a container: wav, opus, mp3, aac, amr, flac. */
	readonly format?: string;
	/** `general`: 16000 Hz; `call-center`: 8000 Hz. */
	readonly field?: "general" | "call-center";
	readonly enable_intermediate_result?: boolean;
	readonly enable_intermediate_words?: boolean;
	readonly enable_punctuation_prediction?: boolean;
	readonly enable_inverse_text_normalization?: boolean;
	readonly enable_modal_particle_filter?: boolean;
	readonly enable_words?: boolean;
	readonly enable_dynamic_break?: boolean;
	/** Milliseconds, 200 to 1200. */
	readonly max_sentence_silence?: number;
	/** Seconds, 0 to 10; 0: off; -1: as soon as speech ends. */
	readonly max_suffix_silence?: number;
	/** Seconds, 5 to 60. */
	readonly connect_timeout?: number;
	/** Seconds, 60 to 600. */
	readonly duration?: number;
	/** Transcriber: Chinese phrases; speech is recognized only after one of them. */
	readonly wake_words?: readonly string[];
	/** Seconds after a wake word in which speech must begin, 2 to 60. */
	readonly wake_seconds?: number;
	readonly gain?: number;
	readonly user_id?: string;
	readonly hotwords_list?: readonly string[];
	readonly hotwords_id?: string;
	readonly hotwords_weight?: number;
	/** Ids separated by |, or all. */
	readonly correction_words_id?: string;
	readonly forbidden_words_id?: string;
	/** Japanese only. */
	readonly enable_spoken?: boolean;
	/** Options of newer services. */
	readonly [option: string]: unknown;
}

export interface ResultWord {
	readonly word: string;
	readonly start_time: number;
	readonly end_time: number;
	readonly type: string;
	readonly confidence?: number;
	/** The speaker's id, where one was named; else empty. */
	readonly label?: string;
}

/** Fields of all results. Times are milliseconds of audio since the session began. */
interface ResultHead {
	/** Number of the sentence, from 1; a recognizer has only one. */
	readonly index: number;
	/** Audio processed so far. */
	readonly timeMs: number;
	readonly taskId: string;
	/** `000000`; for a completed result also `230003`: the duration was exceeded. */
	readonly status: string;
}

interface TextResult extends ResultHead {
	readonly beginMs: number;
	readonly text: string;
	/** Reading of the text; only for final results, with `enable_spoken`. */
	readonly spoken?: string;
	/** Transcriber: as named by `startSpeaker`, where one was. */
	readonly speakerId?: string;
	/** Only of the completed result: the language that was identified, where that was requested (`lang_type` `auto`), */
	readonly language?: string;
	/** and the address of the stored audio, where that was requested. */
	readonly audioUrl?: string;
	readonly words: readonly ResultWord[];
}

export type Result =
	/** Transcriber: speech has begun. */
	| ({ readonly is: "sentence-begin" } & ResultHead)
	/** The text so far; may change. */
	| ({ readonly is: "partial" } & TextResult)
	/** Transcriber with `wake_words`: one was said, and what follows is recognized, */
	| ({ readonly is: "wake"; readonly confidence: number } & TextResult)
	/** until a pause, or as nothing followed. */
	| ({ readonly is: "sleep" } & ResultHead)
	/** Transcriber: the text of a sentence; never changes. */
	| ({ readonly is: "sentence"; readonly confidence: number } & TextResult)
	/** The last result. For a recognizer it has the whole text; for a transcriber none, since its sentences were returned before. */
	| ({ readonly is: "completed"; readonly confidence: number } & TextResult);

export type ServerMessage =
	| { readonly is: "started"; readonly taskId: string }
	| { readonly is: "result"; readonly result: Result }
	| {
			readonly is: "failed";
			readonly status: string;
			readonly text: string;
			readonly taskId: string;
	  }
	/** A name that this client does not know, of a newer service. */
	| { readonly is: "other"; readonly name: string };

const verbs = {
	SpeechRecognizer: { start: "StartRecognition", stop: "StopRecognition" },
	SpeechTranscriber: { start: "StartTranscription", stop: "StopTranscription" },
} as const;

export function startMessage(
	namespace: Namespace,
	options: StartOptions,
): string {
	const header = { namespace, name: verbs[namespace].start };
	return JSON.stringify({ header, payload: options });
}

export function stopMessage(namespace: Namespace): string {
	return JSON.stringify({ header: { namespace, name: verbs[namespace].stop } });
}

export function endSentenceMessage(): string {
	return JSON.stringify({
		header: { namespace: "SpeechTranscriber", name: "SentenceEnd" },
	});
}

export function startSpeakerMessage(speakerId: string): string {
	return JSON.stringify({
		header: { namespace: "SpeechTranscriber", name: "SpeakerStart" },
		payload: { speaker_id: speakerId },
	});
}

type Fields = Readonly<Record<string, unknown>>;

/** @returns undefined if the text is not a valid message of the protocol. */
export function parseMessage(text: string): ServerMessage | undefined {
	const message = fieldsOf(parsed(text));
	const header = fieldsOf(message?.header);
	if (!header || typeof header.name !== "string") return undefined;
	const name = header.name;
	const taskId = textOf(header.task_id);
	if (name === "RecognitionStarted" || name === "TranscriptionStarted")
		return { is: "started", taskId };
	if (name === "TaskFailed") {
		const { status, status_text } = header;
		return {
			is: "failed",
			status: String(status ?? ""),
			text: textOf(status_text),
			taskId,
		};
	}
	const is = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
	if (!is) return { is: "other", name };
	const payload = fieldsOf(message?.payload ?? {});
	const result = payload && resultOf(is, header, payload);
	return result && { is: "result", result };
}

const kinds: Readonly<Record<string, Result["is"]>> = {
	RecognitionResultChanged: "partial",
	TranscriptionResultChanged: "partial",
	WakeWordDetected: "wake",
	WaitingForWakeWord: "sleep",
	SentenceBegin: "sentence-begin",
	SentenceEnd: "sentence",
	RecognitionCompleted: "completed",
	TranscriptionCompleted: "completed",
};

function resultOf(
	is: Result["is"],
	header: Fields,
	payload: Fields,
): Result | undefined {
	const head = {
		index: numberOf(payload.index),
		timeMs: numberOf(payload.time),
		taskId: textOf(header.task_id),
		status: String(header.status ?? ""),
	};
	if (is === "sentence-begin" || is === "sleep") return { is, ...head };
	// other messages must have a text; only the end of a transcription has none
	if (typeof payload.result !== "string" && is !== "completed")
		return undefined;
	const words = payload.words ?? [];
	if (!Array.isArray(words) || !words.every(isWord)) return undefined;
	const spoken = {
		...head,
		beginMs: numberOf(payload.begin_time),
		text: textOf(payload.result),
		...textIn(payload, "spoken", "spoken"),
		...textIn(payload, "speakerId", "speaker_id"),
		...textIn(payload, "language", "lang_type"),
		...textIn(payload, "audioUrl", "audio_url"),
		words,
	};
	if (is === "partial") return { is, ...spoken };
	return { is, ...spoken, confidence: numberOf(payload.confidence) };
}

/** @returns the field by its name in the protocol under the client's own; nothing where it has no text. */
function textIn<Own extends string>(
	payload: Fields,
	own: Own,
	name: string,
): { readonly [name in Own]?: string } {
	const text = payload[name];
	return typeof text === "string"
		? ({ [own]: text } as { readonly [name in Own]: string })
		: {};
}

function isWord(value: unknown): value is ResultWord {
	const word = fieldsOf(value);
	return (
		typeof word?.word === "string" &&
		typeof word.start_time === "number" &&
		typeof word.end_time === "number" &&
		typeof word.type === "string"
	);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function fieldsOf(value: unknown): Fields | undefined {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as Fields)
		: undefined;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
