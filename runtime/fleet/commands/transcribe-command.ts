/**
 * `transcribe`: a file that others name becomes a task. At least once is all that MQTT promises, and whoever gets no answer asks again: who asks twice gets one
 * task, also where the appliance was started again in between (what was asked for is kept with the task, in its transaction).
 */
import { createHash } from "node:crypto";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type { TaskRequest } from "../../tasks/task-service.js";
import type { AppliancePort, MadeTask } from "../appliance-port.js";
import type { IncomingMessage } from "../broker/connection.js";
import { commandPayloads } from "../payloads/commands.js";

export interface TranscribeCommandParts {
	readonly appliance: Pick<AppliancePort, "transcribe" | "requested">;
	readonly signal: AbortSignal;
}

/** Fetching of URLs that commands asked for, at the same time. */
const fetchesMax = 4;

interface FirstRequest {
	readonly content: string;
	readonly made: Promise<MadeTask> | MadeTask;
}

export class TranscribeCommand {
	readonly #parts: TranscribeCommandParts;
	/** By key: not on the disk yet. */
	readonly #underWay = new Map<string, FirstRequest>();
	#fetches = 0;

	constructor(parts: TranscribeCommandParts) {
		this.#parts = parts;
	}

	/** @returns what the reply says beside success. @throws CodedError */
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
		// looked for and noted in one turn: two that come at once are one
		const first = mayBeKnown ? this.#first(request.key) : undefined;
		const made = first?.made ?? this.#make(options, request);
		const { taskId, seconds } = await made;
		if (first && first.content !== request.content)
			throw new CodedError(
				"200002",
				`request must be unique per file: in the last 24 hours it was used for a different file, task ${taskId}`,
			);
		return {
			...{ task_id: taskId, duration: seconds },
			...(first && { repeated: true }),
		};
	}

	/** What was made, or is being made, when somebody asked first. */
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
			// another one without a name may have asked for the same
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
 * Who asks is known by where they want the answer. What they call their request is `request`, else the correlation data, which may be the same for all of
 * theirs: so it counts with what is asked for. Without either, only the broker can say that a message comes again.
 */
function requestOf(
	name: string | undefined,
	options: Record<string, unknown>,
	{ responseTopic, correlation }: IncomingMessage,
): TaskRequest {
	const content = hashOf(options);
	const known = correlation && Buffer.from(correlation).toString("base64");
	const called = name === undefined ? { known, content } : { request: name };
	return { key: hashOf([responseTopic ?? null, called]), content };
}

function hashOf(value: unknown): string {
	return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
