/** One Realtime connection: passes events to the conversation (conversation.ts) and sends what it answers. Makes no decisions but those about the socket. */
import { CodedError, serverStopping } from "../../../errors.js";
import { JsonBoundError } from "../../../json/json-parser.js";
import type { Logger } from "../../../log/log.js";
import type { SessionEvent } from "../../../session/events.js";
import type { Lane, RecognitionCaller } from "../../../session/lane-port.js";
import { policyViolation } from "../../close-reason.js";
import { type Arrived, Inbox } from "../../feed/inbox.js";
import { loggedError } from "../../feed/logged-error.js";
import { parseThen } from "../../feed/parse-then.js";
import { SocketHolds } from "../../feed/socket-holds.js";
import type { LiveSocket, SocketListener } from "../../live-socket.js";
import type { MeasuredRequest } from "../../metrics/endpoints.js";
import { type ClientEvent, eventIdOf, readEvent } from "./client-event.js";
import { Conversation } from "./conversation.js";
import { newId, type ServerEvent } from "./item.js";
import { RunChain } from "./run-chain.js";
import type { Dialect, RealtimeSettings, SettingsSources } from "./settings.js";
import { modelNamedIn } from "./settings-update.js";

export interface RealtimeParts {
	readonly lane: Lane;
	/** The caller whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	readonly dialect: Dialect;
	readonly settings: RealtimeSettings;
	readonly sources: SettingsSources;
	/** @throws CodedError for a model that is not installed, where that is an error */
	readonly checkModel: (name: string) => Promise<void> | undefined;
	/** Bytes of events that a client may leave unread. */
	readonly unreadBytesMax: number;
	readonly log: Logger;
	/** Begins to measure an item. */
	readonly measure: () => MeasuredRequest;
	readonly onOver: () => void;
}

const eventUnitsMax = 2 * 1024 * 1024;

export class RealtimeSession implements SocketListener {
	readonly #parts: RealtimeParts;
	readonly #socket: LiveSocket;
	readonly #id = newId("sess");
	readonly #holds: SocketHolds;
	readonly #inbox: Inbox;
	readonly #runs: RunChain;
	readonly #conversation: Conversation;
	/** Ends the parsing of what nobody reads. */
	readonly #gone = new AbortController();
	#isClosing = false;
	#isClosed = false;

	constructor(parts: RealtimeParts, socket: LiveSocket) {
		const { lane, caller, dialect, settings, sources, measure } = parts;
		this.#parts = parts;
		this.#socket = socket;
		this.#holds = new SocketHolds(socket);
		this.#inbox = new Inbox({
			handle: (message) => this.#read(message),
			refuse: (error) => this.#end(error),
			socket: this.#holds.heldBy(this),
		});
		this.#runs = new RunChain(lane, caller, this.#holds, {
			onRecognized: (run, event) => this.#onRecognized(run, event),
			onFailed: (run, error) =>
				this.#guard(() => this.#conversation.onFailed(run, this.#coded(error))),
			onQuiet: (run) => this.#guard(() => this.#conversation.onQuiet(run)),
		});
		this.#conversation = new Conversation({
			id: this.#id,
			dialect,
			settings,
			sources,
			measure,
			recognitions: this.#runs,
			send: (event) => this.#send(event),
			nowMs: () => performance.now(),
		});
	}

	/** @param checked the model that the address names; rejects with a CodedError, which is then the first and last event. */
	begin(checked?: Promise<void>): void {
		if (!checked) {
			this.#conversation.begin();
			return;
		}
		const begun = checked.then(
			() => this.#guard(() => this.#conversation.begin()),
			(thrown) => this.#end(this.#coded(thrown)),
		);
		this.#inbox.waitFor(begun);
	}

	/** The error is the first and last event. */
	refuse(error: CodedError): void {
		this.#end(error);
	}

	onText(text: string): void {
		if (this.#isClosing) return;
		if (text.length <= eventUnitsMax) this.#inbox.accept(text);
		else
			this.#refuse(
				new CodedError(
					"200004",
					`an event must be at most ${eventUnitsMax} characters, got ${text.length}`,
				),
				null,
			);
	}

	onBinary(bytes: Uint8Array): void {
		if (!this.#isClosing) this.#inbox.accept(bytes);
	}

	/** The server is stopping. */
	shutDown(): void {
		this.#end(serverStopping());
	}

	onClosed(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#isClosing = true;
		this.#inbox.close();
		this.#gone.abort();
		this.#runs.cancelAll();
		this.#conversation.close();
		this.#parts.log.debug({ session: this.#id }, "realtime session ended");
		this.#parts.onOver();
	}

	/** @returns a promise where it takes longer than a moment. */
	#read(message: Arrived): Promise<void> | undefined {
		if (typeof message === "string")
			return parseThen(
				message,
				(event) => this.#take(event),
				(thrown) => this.#refuse(notJson(thrown), null),
				this.#gone.signal,
			);
		this.#refuse(
			new CodedError(
				"200003",
				"events are JSON in text messages; audio is base64 in input_audio_buffer.append",
			),
			null,
		);
		return undefined;
	}

	#take(message: unknown): Promise<void> | undefined {
		if (this.#isClosing) return undefined;
		try {
			const event = readEvent(message);
			if (event.is === "update") return this.#update(event);
			this.#conversation.onEvent(event);
		} catch (thrown) {
			this.#refuse(this.#coded(thrown), eventIdOf(message));
		}
		return undefined;
	}

	/** Models are looked up only where a name that is not installed is an error. */
	#update(event: ClientEvent & { is: "update" }): Promise<void> | undefined {
		const name = modelNamedIn(event.session, event.dialect);
		const checked =
			name === undefined ? undefined : this.#parts.checkModel(name);
		if (checked === undefined) {
			this.#conversation.onEvent(event);
			return undefined;
		}
		return checked.then(
			() => this.#guard(() => this.#conversation.onEvent(event)),
			(thrown) => this.#refuse(this.#coded(thrown), event.eventId),
		);
	}

	#onRecognized(run: number, event: SessionEvent): void {
		this.#guard(() => this.#conversation.onRecognized(run, event));
	}

	#refuse(error: CodedError, eventId: string | null): void {
		if (!this.#isClosing) this.#conversation.refuse(error, eventId);
	}

	/** A mistake of ours ends the connection, not the server. */
	#guard(act: () => void): void {
		if (this.#isClosing) return;
		try {
			act();
		} catch (thrown) {
			this.#end(this.#coded(thrown));
		}
	}

	#send(event: ServerEvent): void {
		if (this.#isClosing) return;
		this.#socket.send(JSON.stringify({ event_id: newId("event"), ...event }));
		if (this.#socket.unreadBytes <= this.#parts.unreadBytesMax) return;
		this.#isClosing = true;
		this.#socket.close(policyViolation, "too many unread events");
	}

	#end(error: CodedError): void {
		if (this.#isClosing) return;
		this.#conversation.refuse(error, null);
		this.#isClosing = true;
		this.#socket.close(error.wsClose, "");
	}

	#coded(thrown: unknown): CodedError {
		return loggedError(thrown, this.#parts.log, "realtime session failed");
	}
}

function notJson(thrown: unknown): CodedError {
	return thrown instanceof JsonBoundError
		? new CodedError("200003", `the event ${thrown.message}`)
		: new CodedError("200003", "the event is not valid JSON");
}
