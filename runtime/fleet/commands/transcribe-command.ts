/**
 * `transcribe`: a file named by its URL becomes a task. MQTT delivers at least once, and a sender without an answer repeats its request: repeated requests get
 * one task, also after a restart of the appliance (the request is stored with the task, in its transaction).
 */
import { createHash } from "node:crypto";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type { TaskRequest } from "../../tasks/task-service.js";
import type { AppliancePort, MadeTask } from "../appliance-port.js";
import type { IncomingMessage } from "../broker/messages.js";
import { commandPayloads } from "../payloads/commands.js";

export interface TranscribeCommandParts {
	readonly appliance: Pick<AppliancePort, "transcribe" | "requested">;
	readonly signal: AbortSignal;
}

/** Maximum of concurrent fetches for commands. */
const fetchesMax = 4;

interface FirstRequest {
	readonly content: string;
	readonly made: Promise<MadeTask> | MadeTask;
}

export class TranscribeCommand {
	readonly #parts: TranscribeCommandParts;
	/** Requests by key whose task is not on the disk yet. */
	readonly #underWay = new Map<string, FirstRequest>();
	#fetches = 0;

	constructor(parts: TranscribeCommandParts) {
		this.#parts = parts;
	}

	/** @returns `data` of the reply. @throws CodedError */
	async execute(
		body: Record<string, unknown>,
		message: IncomingMessage,
	): Promise<Record<string, unknown>> {
		const { request: name } = parseJson(
			commandPayloads.transcribe,
			body,
		).values;
		const { request: _, ...options } = body;
		const { correlation, isRedelivered } = message;
		const request = requestOf(name, options, message);
		const mayBeKnown =
			name !== undefined || correlation !== undefined || isRedelivered;
		// looked up and recorded in one turn of the event loop: two concurrent requests become one
		const first = mayBeKnown ? this.#first(request.key) : undefined;
		const made = first?.made ?? this.#make(options, request);
		const { taskId, seconds } = await made;
		if (first && first.content !== request.content)
			throw new CodedError(
				"200002",
				`request must be unique per file: in the last 24 hours it was used for a different file, task ${taskId}`,
			);
		return {
			task_id: taskId,
			duration: seconds,
			...(first && { repeated: true }),
		};
	}

	/** The task of the first such request, finished or in progress. */
	#first(key: string): FirstRequest | undefined {
		const known = this.#parts.appliance.requested(key);
		return (
			this.#underWay.get(key) ??
			(known && { content: known.content, made: known })
		);
	}

	#make(
		options: Record<string, unknown>,
		request: TaskRequest,
	): Promise<MadeTask> {
		const { key, content } = request;
		const made = this.#fetch(options, request).finally(() => {
			// an identical request without a name may have replaced the entry
			if (this.#underWay.get(key) === underWay) this.#underWay.delete(key);
		});
		const underWay = { content, made };
		this.#underWay.set(key, underWay);
		return made;
	}

	async #fetch(
		options: Record<string, unknown>,
		request: TaskRequest,
	): Promise<MadeTask> {
		if (this.#fetches >= fetchesMax)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${fetchesMax} files are being fetched`,
			);
		const { appliance, signal } = this.#parts;
		this.#fetches++;
		try {
			return await appliance.transcribe(options, request, signal);
		} finally {
			this.#fetches--;
		}
	}
}

/**
 * Identifies a request. The sender is identified by its response topic. Its request is identified by `request`, or else by the correlation data, which a sender
 * may reuse: so it is combined with the content. Without either, only the broker's DUP flag can mark a repetition.
 */
function requestOf(
	name: string | undefined,
	options: Record<string, unknown>,
	{ responseTopic, correlation }: IncomingMessage,
): TaskRequest {
	const content = hashOf(options);
	const known = correlation && Buffer.from(correlation).toString("base64");
	const identity = name === undefined ? { known, content } : { request: name };
	return { key: hashOf([responseTopic ?? null, identity]), content };
}

function hashOf(value: unknown): string {
	return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
