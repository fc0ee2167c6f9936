/**
 * Handles commands from the broker: validates, executes and answers them. Anybody with write access to the topics may send anything, in any amount; nothing of
 * it is trusted.
 *
 * INVARIANTS
 * - Only commands in `fleet.commands` are executed, and at most `fleet.commands_per_second` are processed; the rest costs a comparison and is counted.
 * - A retained command is ignored: it would be executed again at every connection.
 * - Any fault of a command ends in an error reply and nothing else.
 * - A command with a forbidden response topic is neither executed nor answered: otherwise its sender could make this device publish to topics of others.
 */

import { asCodedError, CodedError, successStatus } from "../../errors.js";
import { finishInSlices } from "../../event-loop/slices.js";
import { isJsonObject } from "../../json/json-object.js";
import { JsonBoundError, parsingJson } from "../../json/json-parser.js";
import { TokenBucket } from "../../limits/token-bucket.js";
import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import { isAllowed } from "../broker/is-allowed.js";
import type { IncomingMessage } from "../broker/messages.js";
import {
	type CommandName,
	isCommand,
	type ReplyMessage,
} from "../payloads/commands.js";
import { schemaVersion } from "../payloads/schema-version.js";
import { replyTopicFault, type Topics } from "../topics.js";
import type { CommandExecutor } from "./execute.js";
import { ReplySender } from "./reply-sender.js";

export interface CommandHandlerParts {
	readonly topics: Topics;
	/** Currently in force. */
	readonly allowed: () => readonly CommandName[];
	readonly perSecond: number;
	readonly execute: CommandExecutor;
	readonly log: LogPort;
}

export interface CommandStats {
	readonly done: number;
	readonly failed: number;
	readonly dropped: number;
}

interface ReadCommand {
	readonly command: CommandName;
	readonly body: Record<string, unknown>;
}

/** Enough for a list of a hundred words. */
const payloadBytesMax = 64 * 1024;
const correlationBytesMax = 1024;
const requestCharactersMax = 200;

export class CommandHandler {
	readonly #parts: CommandHandlerParts;
	readonly #bucket: TokenBucket;
	readonly #replies: ReplySender;
	#done = 0;
	#failed = 0;
	#dropped = 0;
	#wasFull = false;

	constructor(parts: CommandHandlerParts) {
		this.#parts = parts;
		this.#replies = new ReplySender(parts.log);
		const { perSecond } = parts;
		const burst = Math.max(1, 2 * perSecond);
		this.#bucket = new TokenBucket({ perSecond, burst });
	}

	/**
	 * Never rejects.
	 * @param name the text after `cmd/`, unchecked.
	 * @returns when the command has been read and its execution has begun: the next message waits for that.
	 */
	onMessage(name: string, message: IncomingMessage): Promise<void> | undefined {
		if (message.retained || !this.#takeToken()) {
			this.#dropped++;
			return undefined;
		}
		const fault = replyTopicFault(this.#replyTopic(message));
		if (fault !== undefined) {
			this.#failed++;
			this.#parts.log.warn(
				{ fault },
				"command ignored: its response topic is not allowed",
			);
			return undefined;
		}
		const read = this.#read(name, message.payload);
		void this.#handle(name, message, read);
		return read.then(
			() => {},
			() => {},
		);
	}

	/** Reads commands from this connection, and replies over it from now on. @throws ConnectionLost */
	async use(connection: BrokerConnection): Promise<void> {
		const { topics, allowed, log } = this.#parts;
		this.#replies.use(connection);
		// a device that accepts none misses nothing
		const level = allowed().length > 0 ? "warn" : "info";
		await isAllowed(
			connection.subscribe(topics.commands),
			"going on without commands (change its access rules, or empty fleet.commands)",
			(fields, message) => log[level](fields, message),
		);
	}

	/** The connection is lost: replies wait for the next one. */
	drop(): void {
		this.#replies.use(undefined);
	}

	get stats(): CommandStats {
		return { done: this.#done, failed: this.#failed, dropped: this.#dropped };
	}

	/** @throws CodedError */
	async #read(name: string, payload: Uint8Array): Promise<ReadCommand> {
		const command = this.#allowed(name);
		return { command, body: await bodyOf(payload) };
	}

	async #handle(
		name: string,
		message: IncomingMessage,
		read: Promise<ReadCommand>,
	): Promise<void> {
		let request: string | undefined;
		try {
			const { command, body } = await read;
			if (typeof body.request === "string")
				request = body.request.slice(0, requestCharactersMax);
			checkCorrelation(message);
			const data = await this.#parts.execute(command, body, message);
			this.#done++;
			this.#parts.log.info({ command }, "command executed");
			this.#reply(message, {
				...replyTo(name, request),
				status: successStatus,
				message: "success",
				data,
			});
		} catch (thrown) {
			this.#failed++;
			const error = asCodedError(thrown);
			const { status, message: reason } = error;
			if (status === "100003")
				this.#parts.log.error({ err: error.cause }, "command failed");
			else this.#parts.log.warn({ status }, "command refused");
			this.#reply(message, {
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

	#reply(message: IncomingMessage, reply: ReplyMessage): void {
		const { correlation } = message;
		this.#replies.send({
			topic: this.#replyTopic(message),
			payload: JSON.stringify(reply),
			qos: 1,
			...(correlation && !isTooLong(correlation) && { correlation }),
		});
	}

	/** The response topic of its sender, else `replies`. */
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

/** Its sender could not match a reply with truncated correlation data. */
function checkCorrelation({ correlation }: IncomingMessage): void {
	if (!correlation || !isTooLong(correlation)) return;
	throw new CodedError(
		"200004",
		`correlation data must be at most ${correlationBytesMax} bytes, got ${correlation.length}`,
	);
}

async function bodyOf(payload: Uint8Array): Promise<Record<string, unknown>> {
	if (payload.length > payloadBytesMax)
		throw new CodedError(
			"200004",
			`a command must be at most ${payloadBytesMax} bytes, got ${payload.length}`,
		);
	if (payload.length === 0) return {};
	let body: unknown;
	try {
		body = await finishInSlices(
			parsingJson(new TextDecoder("utf-8", { fatal: true }).decode(payload)),
		);
	} catch (thrown) {
		if (thrown instanceof JsonBoundError)
			throw new CodedError("200003", `a command ${thrown.message}`);
		throw new CodedError("200003", "a command must be JSON");
	}
	if (!isJsonObject(body))
		throw new CodedError("200003", "a command must be a JSON object");
	return body;
}

function replyTo(name: string, request: string | undefined) {
	return {
		schema: schemaVersion,
		command: name.slice(0, 100),
		...(request !== undefined && { request }),
	} as const;
}
