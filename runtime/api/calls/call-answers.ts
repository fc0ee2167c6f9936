/** What the client of a call is sent, in the form of its dialect: transcripts, why it was refused, the close. */
import type { LegInCall } from "../../calls/call.js";
import type { CodedError } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import type { Utterance } from "../../session/events.js";
import { normalClosure } from "../close-reason.js";
import type { LiveSocket } from "../live-socket.js";
import {
	closeReason,
	errorMessage,
	repeatedInData,
	transcriptionMessage,
} from "./call-message.js";
import type { Dialect } from "./dialect.js";

export class CallAnswers {
	readonly #socket: LiveSocket;
	readonly #log: Logger;
	#dialect: Dialect | undefined;
	#isConnected = true;

	constructor(socket: LiveSocket, log: Logger) {
		this.#socket = socket;
		this.#log = log;
	}

	/** From now on. */
	useDialect(dialect: Dialect): void {
		this.#dialect = dialect;
	}

	/** Nothing is sent any more: the client has closed. */
	closed(): void {
		this.#isConnected = false;
	}

	/** @returns whether the client takes transcripts. */
	get listens(): boolean {
		return this.#dialect?.listens ?? false;
	}

	transcription(
		leg: LegInCall,
		is: "partial" | "final",
		utterance: Utterance,
	): void {
		this.#send(transcriptionMessage(leg.place, is, utterance));
	}

	/** Says why, and closes. */
	refusal(error: CodedError): void {
		if (this.#dialect?.listens ?? true) this.#send(errorMessage(error));
		this.#close(error.wsClose, closeReason(error));
	}

	/** All was said. */
	end(): void {
		this.#close(normalClosure, "");
	}

	/** Most programs of telephony show neither an error nor why they were closed. */
	logRefusal({ cause, status, message }: CodedError): void {
		const dialect = this.#dialect?.name;
		if (cause) this.#log.error({ err: cause }, "a call's connection failed");
		else
			this.#log.warn(
				{ dialect, status, reason: message },
				"a call's connection was refused",
			);
	}

	#send(message: { readonly type: string }): void {
		if (!this.#isConnected) return;
		const sent = this.#dialect?.repeatsInData
			? repeatedInData(message)
			: message;
		this.#socket.send(JSON.stringify(sent));
	}

	#close(code: number, reason: string): void {
		if (this.#isConnected) this.#socket.close(code, reason);
	}
}
