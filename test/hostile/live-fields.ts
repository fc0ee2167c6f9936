/** Every field of what a client says over the WebSocket: options by their schemas, what else a message has by hand. */
import type { TObject } from "@sinclair/typebox";
import { WebSocket } from "ws";
import {
	recognizerOptions,
	transcriberOptions,
} from "../../runtime/api/live/live-options.js";
import {
	anyText,
	type Field,
	type FieldSchema,
	kindOf,
	type Value,
} from "./field.js";

/** A message may be 256 KiB. */
const bytesMax = 250 * 1024;

export class LiveFields {
	readonly #url: string;
	readonly #token: string;

	constructor(url: string, token: string) {
		this.#url = `${url.replace("http", "ws")}/v1/asr/ws`;
		this.#token = token;
	}

	get all(): readonly Field[] {
		const recognizer = "SpeechRecognizer";
		const lang_type = "en-US";
		const start = { namespace: recognizer, name: "StartRecognition" };
		const header = (key: string): Field => ({
			name: `WebSocket header: ${key}`,
			bytesMax,
			...anyText,
			send: (value) =>
				this.#send({
					header: { ...start, [key]: value },
					payload: { lang_type },
				}),
		});
		return [
			...this.#options(recognizer, "StartRecognition", recognizerOptions),
			...this.#options(
				"SpeechTranscriber",
				"StartTranscription",
				transcriberOptions,
			),
			...["namespace", "name", "task_id", "unknown"].map(header),
			{
				name: "WebSocket SpeakerStart: speaker_id",
				bytesMax,
				...anyText,
				send: (speaker_id) =>
					this.#send({
						header: { namespace: "SpeechTranscriber", name: "SpeakerStart" },
						payload: { speaker_id },
					}),
			},
			{
				name: "WebSocket: the message itself",
				bytesMax,
				...anyText,
				send: (value) => this.#send(`${value}`),
			},
		];
	}

	#options(namespace: string, name: string, options: TObject): Field[] {
		const properties: Readonly<Record<string, FieldSchema>> = {
			...options.properties,
			unknown: { type: "unknown" }, // its name is enough to refuse it
		};
		return Object.entries(properties).flatMap(([option, schema]) =>
			(option === "hotwords_list" ? ["en-US", "ja-JP"] : ["en-US"]).map(
				(lang_type): Field => ({
					name: `WebSocket ${name}: ${option} ${lang_type}`,
					bytesMax,
					...kindOf(schema),
					send: (value: Value) =>
						this.#send({
							header: { namespace, name },
							payload: { lang_type, [option]: value },
						}),
				}),
			),
		);
	}

	/** @returns the status of the first answer. */
	async #send(message: object | string): Promise<string | undefined> {
		const socket = new WebSocket(this.#url, {
			headers: { Authorization: `Bearer ${this.#token}` },
		});
		const answer = new Promise<string | undefined>((resolve, reject) => {
			socket.on("message", (data) => {
				const { header } = JSON.parse(String(data));
				resolve(header.status);
			});
			socket.on("close", () => resolve(undefined));
			socket.on("error", reject);
		});
		socket.on("open", () =>
			socket.send(
				typeof message === "string" ? message : JSON.stringify(message),
			),
		);
		try {
			return await answer;
		} finally {
			socket.terminate();
		}
	}
}
