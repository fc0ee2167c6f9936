/** One item of a session: a sentence that voice activity cut out, or what the client committed; and its events, in the dialect's words. */
import { randomBytes } from "node:crypto";
import type { CodedError } from "../../../errors.js";
import type { Language } from "../../../text/languages.js";
import type { MeasuredRequest } from "../../metrics/endpoints.js";
import { codeOf, logprobsOf } from "../answers.js";
import { openAiError } from "../error.js";
import type { TimedWord } from "../transcription.js";
import { Deltas } from "./deltas.js";
import type { Dialect, RealtimeSettings } from "./settings.js";

/** Without `event_id`, which each gets when it is sent. */
export interface ServerEvent {
	readonly type: string;
	readonly [key: string]: unknown;
}

export interface ItemResult {
	readonly text: string;
	readonly words: readonly TimedWord[];
	/** Where it is known. */
	readonly language: Language | undefined;
	readonly seconds: number;
}

const transcription = "conversation.item.input_audio_transcription";

export class Item {
	readonly id = newId("item");
	/** Where it begins in the audio of the session. */
	readonly beginMs: number;
	readonly deltas: Deltas;
	readonly logprobs: boolean;
	readonly measured: MeasuredRequest;

	constructor(
		beginMs: number,
		{ delay, logprobs }: Pick<RealtimeSettings, "delay" | "logprobs">,
		language: Language,
		measured: MeasuredRequest,
	) {
		this.measured = measured;
		this.beginMs = beginMs;
		this.deltas = new Deltas(language, delay);
		this.logprobs = logprobs;
	}

	speechStarted(atMs: number): ServerEvent {
		return {
			type: "input_audio_buffer.speech_started",
			audio_start_ms: Math.round(atMs),
			item_id: this.id,
		};
	}

	speechStopped(atMs: number): ServerEvent {
		return {
			type: "input_audio_buffer.speech_stopped",
			audio_end_ms: Math.round(atMs),
			item_id: this.id,
		};
	}

	delta(delta: string): ServerEvent {
		return {
			type: `${transcription}.delta`,
			item_id: this.id,
			content_index: 0,
			delta,
		};
	}

	/** @param previous id of the item before; null: it is the first. */
	committed(previous: string | null, dialect: Dialect): readonly ServerEvent[] {
		const ids = { previous_item_id: previous };
		const item = {
			id: this.id,
			object: "realtime.item",
			type: "message",
			status: "completed",
			role: "user",
			content: [{ type: "input_audio", transcript: null }],
		};
		const names =
			dialect === "beta"
				? ["conversation.item.created"]
				: ["conversation.item.added", "conversation.item.done"];
		return [
			{ type: "input_audio_buffer.committed", ...ids, item_id: this.id },
			...names.map((type) => ({ type, ...ids, item })),
		];
	}

	completed({ text, words, language, seconds }: ItemResult): ServerEvent {
		return {
			type: `${transcription}.completed`,
			item_id: this.id,
			content_index: 0,
			transcript: text,
			...(this.logprobs && { logprobs: logprobsOf(words) }),
			...(language && { languages: [{ code: codeOf(language) }] }),
			usage: { type: "duration", seconds: Math.round(seconds * 1000) / 1000 },
		};
	}

	failed(error: CodedError): ServerEvent {
		return {
			type: `${transcription}.failed`,
			item_id: this.id,
			content_index: 0,
			error: openAiError(error),
		};
	}
}

export function newId(prefix: string): string {
	return `${prefix}_${randomBytes(12).toString("base64url")}`;
}
