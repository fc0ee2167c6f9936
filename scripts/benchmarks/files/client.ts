/** A file's way through the real server, as a client goes it: upload, poll, result. */
import { openAsBlob } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { langTypes } from "../clips.js";
import type { ScoredLanguage } from "../scoring.js";
import type { Server } from "../server.js";

export interface FileWord {
	readonly word: string;
	readonly start_time: number;
	readonly end_time: number;
	readonly type: string;
}

export interface FileSegment {
	readonly begin: string;
	readonly end: string;
	readonly transcript: string;
	readonly cluster_id?: number;
	readonly words?: readonly FileWord[];
}

export interface Transcribed {
	readonly segments: readonly FileSegment[];
	readonly statistics: unknown;
	/** From the upload's first byte to the transcript. */
	readonly seconds: number;
}

interface Sent {
	readonly path: string;
	readonly language: ScoredLanguage;
	readonly format?: string;
	/** More fields of the form. */
	readonly options?: Readonly<Record<string, string>>;
}

const pollMs = 100;

export async function transcribe(
	server: Server,
	{ path, language, format = "wav", options = {} }: Sent,
): Promise<Transcribed> {
	const { url, token } = server.endpoint;
	const headers = { authorization: `Bearer ${token}` };
	const form = new FormData();
	form.set("lang_type", langTypes[language]);
	form.set("format", format);
	// references hold what was said: numbers as they fell
	form.set("enable_inverse_text_normalization", "false");
	for (const [name, value] of Object.entries(options)) form.set(name, value);
	form.set("file", await openAsBlob(path), `recording.${format}`);
	const started = performance.now();
	const { task_id } = await ask<{ task_id: string }>(
		`${url}/v1/asrfile/upload`,
		{ method: "POST", headers, body: form },
	);
	for (;;) {
		await pause(pollMs);
		const { result, statistics } = await ask<{
			result?: readonly FileSegment[];
			statistics?: unknown;
		}>(`${url}/v1/asrfile/result?task_id=${task_id}`, { headers });
		if (!result) continue;
		const seconds = (performance.now() - started) / 1000;
		return { segments: result, statistics, seconds };
	}
}

async function ask<Data>(url: string, request: RequestInit): Promise<Data> {
	const answer = await fetch(url, request);
	const { status, message, data } = (await answer.json()) as {
		status: string;
		message: string;
		data: Data;
	};
	if (status !== "000000") throw new Error(`${url}: ${status} ${message}`);
	return data;
}
