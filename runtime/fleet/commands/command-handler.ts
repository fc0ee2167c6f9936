/**
 * Commands from the broker: checked, carried out, answered. Whoever may write to the topics may send anything, as much as they like; nothing of it is trusted.
 *
 * INVARIANTS
 * - Only what `fleet.commands` names is done, and at most `fleet.commands_per_second` are looked at; the rest costs a comparison and is counted.
 * - A retained command is none: it would be carried out again at every connection.
 * - Whatever is wrong with one ends in an error reply and nothing else.
 * - One whose answer may not go where its sender wants it is neither carried out nor answered: else whoever may ask one device would speak for it to others.
 */
import type { EngineLog } from "../../engine/log-port.js";
import { asCodedError, CodedError, successStatus } from "../../errors.js";
import { JsonBoundError, jsonOf } from "../../json/json-parser.js";
import { TokenBucket } from "../../limits/token-bucket.js";
import type {
	BrokerConnection,
	IncomingMessage,
} from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import {
	type CommandName,
	isCommand,
	type ReplyMessage,
} from "../payloads/commands.js";
import { schemaVersion } from "../payloads/schema-version.js";
import { replyTopicFault, type Topics } from "../topics.js";
import type { CommandExecutor } from "./execute.js";

export interface CommandHandlerParts {
	readonly topics: Topics;
	/** In force now. */
	readonly allowed: () => readonly CommandName[];
	readonly perSecond: number;
	readonly execute: CommandExecutor;
	readonly log: EngineLog;
}

export interface CommandStats {
	readonly done: number;
	readonly failed: number;
	readonly dropped: number;
}

/** A list of a hundred words has room in it. */
const payloadBytesMax = 64 * 1024;
const correlationBytesMax = 1024;
const requestCharactersMax = 200;

export class CommandHandler {
	readonly #parts: CommandHandlerParts;
	readonly #bucket: TokenBucket;
	#done = 0;
	#failed = 0;
	#dropped = 0;
	#wasFull = false;

	constructor(parts: CommandHandlerParts) {
		this.#parts = parts;
		const { perSecond } = parts;
		const burst = Math.max(1, 2 * perSecond);
		this.#bucket = new TokenBucket({ perSecond, burst });
	}

	/** @param name behind `cmd/`, any text. Never throws. */
	onMessage(
		connection: BrokerConnection,
		name: string,
		message: IncomingMessage,
	): void {
		if (message.retained || !this.#takeToken()) {
			this.#dropped++;
			return;
		}
		const fault = replyTopicFault(this.#replyTopic(message));
		if (fault !== undefined) {
			this.#failed++;
			this.#parts.log.warn(
				{ fault },
				"command ignored: its response topic is not allowed",
			);
			return;
		}
		void this.#handle(connection, name, message).catch((error: unknown) => {
			if (!(error instanceof ConnectionLost))
				this.#parts.log.error(
					{ err: error },
					"failed to send the reply to a command",
				);
		});
	}

	get stats(): CommandStats {
		return { done: this.#done, failed: this.#failed, dropped: this.#dropped };
	}

	async #handle(
		connection: BrokerConnection,
		name: string,
		message: IncomingMessage,
	): Promise<void> {
		let request: string | undefined;
		try {
			const command = this.#allowed(name);
			const body = bodyOf(message.payload);
			if (typeof body.request === "string")
				request = body.request.slice(0, requestCharactersMax);
			checkCorrelation(message);
			const data = await this.#parts.execute(command, body, message);
			this.#done++;
			this.#parts.log.info({ command }, "command executed");
			await this.#reply(connection, message, {
				...replyTo(name, request),
				status: successStatus,
				message: "success",
				data,
			});
		} catch (thrown) {
			if (thrown instanceof ConnectionLost) throw thrown;
			this.#failed++;
			const error = asCodedError(thrown);
			const { status, message: reason } = error;
			if (status === "100003")
				this.#parts.log.error({ err: error.cause }, "command failed");
			else this.#parts.log.warn({ status }, "command refused");
			await this.#reply(connection, message, {
				...replyTo(name, request),
				status,
				message: reason,
				data: null,
			});
		}
	}

	#allowed(name: string): CommandName {
		const allowed = this.#parts.allowed();
		if (!isCommand(name))
			throw new CodedError(
				"100001",
				`unknown command; known: ${allowed.join(", ") || "none (fleet.commands)"}`,
			);
		if (!allowed.includes(name))
			throw new CodedError(
				"110003",
				`this command is not allowed here (fleet.commands)`,
			);
		return name;
	}

	async #reply(
		connection: BrokerConnection,
		message: IncomingMessage,
		reply: ReplyMessage,
	): Promise<void> {
		const { correlation } = message;
		await connection.publish({
			topic: this.#replyTopic(message),
			payload: JSON.stringify(reply),
			qos: 1,
			...(correlation && !isTooLong(correlation) && { correlation }),
		});
	}

	/** Where its sender wants it. */
	#replyTopic({ responseTopic }: IncomingMessage): string {
		return responseTopic ?? this.#parts.topics.replies;
	}

	#takeToken(): boolean {
		const { perSecond, log } = this.#parts;
		if (!this.#bucket.take()) {
			if (!this.#wasFull)
				log.warn({ perSecond }, "too many commands, dropping some");
			this.#wasFull = true;
			return false;
		}
		if (this.#bucket.isHalfFull) this.#wasFull = false;
		return true;
	}
}

function isTooLong(correlation: Uint8Array): boolean {
	return correlation.length > correlationBytesMax;
}

/** Its sender would not know the answer again. */
function checkCorrelation({ correlation }: IncomingMessage): void {
	if (!correlation || !isTooLong(correlation)) return;
	throw new CodedError(
		"200004",
		`correlation data must be at most ${correlationBytesMax} bytes, got ${correlation.length}`,
	);
}

function bodyOf(payload: Uint8Array): Record<string, unknown> {
	if (payload.length > payloadBytesMax)
		throw new CodedError(
			"200004",
			`a command must be at most ${payloadBytesMax} bytes, got ${payload.length}`,
		);
	if (payload.length === 0) return {};
	let body: unknown;
	try {
		body = jsonOf(new TextDecoder("utf-8", { fatal: true }).decode(payload));
	} catch (thrown) {
		if (thrown instanceof JsonBoundError)
			throw new CodedError("200003", `a command ${thrown.message}`);
		throw new CodedError("200003", "a command must be JSON");
	}
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw new CodedError("200003", "a command must be a JSON object");
	return body as Record<string, unknown>;
}

function replyTo(name: string, request: string | undefined) {
	return {
		schema: schemaVersion,
		command: name.slice(0, 100),
		...(request !== undefined && { request }),
	} as const;
}
