/** The part of the Supervisor's REST API that add-ons use for discovery (developers.home-assistant.io, api/supervisor/endpoints, "Discovery"). */
import { isJsonObject, type JsonObject } from "../json/json-object.js";
import { jsonOf } from "../json/json-parser.js";

const answerMsMax = 10_000;
const answerBytesMax = 64 * 1024;
/** A uuid without hyphens; it becomes part of a path. */
const idPattern = /^[A-Za-z0-9-]{1,64}$/;

export interface SupervisorAddress {
	/** Without a slash at the end. */
	readonly url: string;
	readonly token: string;
}

/** The Supervisor has answered, but not with what was asked for. */
export class SupervisorError extends Error {
	override readonly name = "SupervisorError";
	readonly http: number;

	constructor(http: number, message: string) {
		super(message);
		this.http = http;
	}
}

export class Supervisor {
	readonly #address: SupervisorAddress;

	constructor(address: SupervisorAddress) {
		this.#address = address;
	}

	/**
	 * Tells of a service. The Supervisor keeps one message for each add-on and service: another configuration takes the place of the one before.
	 * @returns the message's id. @throws SupervisorError; what fetch throws when nothing answers
	 */
	async publish(
		service: string,
		config: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<string> {
		const body = JSON.stringify({ service, config });
		const data = await this.#ask("POST", "/discovery", signal, body);
		const id = (data as { uuid?: unknown } | undefined)?.uuid;
		if (typeof id !== "string" || !idPattern.test(id))
			throw new SupervisorError(200, "the answer has no uuid");
		return id;
	}

	/** Takes a message back; one that is not there any more is no error. @throws as `publish` */
	async withdraw(id: string, signal: AbortSignal): Promise<void> {
		try {
			await this.#ask("DELETE", `/discovery/${id}`, signal);
		} catch (error) {
			if (!isGone(error)) throw error;
		}
	}

	/** @returns the `data` of its answer. */
	async #ask(
		method: string,
		path: string,
		signal: AbortSignal,
		body?: string,
	): Promise<unknown> {
		const { url, token } = this.#address;
		const response = await fetch(url + path, {
			method,
			redirect: "error",
			headers: {
				Authorization: `Bearer ${token}`,
				...(body !== undefined && { "Content-Type": "application/json" }),
			},
			...(body !== undefined && { body }),
			signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
		});
		const answer = objectOf(await textOf(response));
		if (response.ok && answer.result === "ok") return answer.data;
		const { message } = answer;
		throw new SupervisorError(
			response.status,
			typeof message === "string" ? message.slice(0, 200) : "no reason given",
		);
	}
}

/** Older Supervisors answer 400 where newer ones answer 404. */
function isGone(error: unknown): boolean {
	return (
		error instanceof SupervisorError &&
		(error.http === 404 || /not found/i.test(error.message))
	);
}

/** @throws SupervisorError for one that is too long. */
async function textOf({ body, status }: Response): Promise<string> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
		bytes += piece.length;
		if (bytes > answerBytesMax)
			throw new SupervisorError(status, "the answer is too long");
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString();
}

/** Empty for what is no JSON object: a proxy's own error page. */
function objectOf(text: string): JsonObject {
	try {
		const value = jsonOf(text);
		return isJsonObject(value) ? value : {};
	} catch {
		return {};
	}
}
