/** One open socket: passes events to the protocol (protocol.ts) and performs the effects that it returns. Makes no decisions. */
import { randomBytes } from "node:crypto";
import { type CodedError, successStatus } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import type { Lane, RecognitionCaller } from "../../session/lane-port.js";
import { AudioFeed } from "../feed/audio-feed.js";
import { ClientTimeout } from "../feed/client-timeout.js";
import { type Arrived, Inbox } from "../feed/inbox.js";
import { loggedError } from "../feed/logged-error.js";
import { SocketHolds } from "../feed/socket-holds.js";
import type { LiveSocket, SocketListener } from "../live-socket.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import { begin, step } from "./protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
	Step,
} from "./protocol-states.js";
import { renderMessage, type ServerMessage } from "./server-message.js";
import { readText } from "./text-reader.js";

export interface LiveSessionParts {
	readonly lane: Lane;
	/** The caller whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	readonly context: ProtocolContext;
	/** The token's name. */
	readonly appId: string;
	/** Bytes of results that a client may leave unread. */
	readonly unreadBytesMax: number;
	readonly log: Logger;
	readonly measured: MeasuredRequest;
	/** The session has ended and released everything. */
	readonly onOver: (ending: SessionEnding) => void;
}

export interface SessionEnding {
	/** "none" where nothing was started. */
	readonly namespace: string;
	/** The status sent to the client, or "gone" where it disconnected first. */
	readonly status: string;
	readonly audioMs: number;
}

const idBytes = 16;

export class LiveSession implements SocketListener {
	readonly #parts: LiveSessionParts;
	readonly #socket: LiveSocket;
	readonly #taskId = newId();
	readonly #log: Logger;
	readonly #startedMs = performance.now();
	readonly #holds: SocketHolds;
	readonly #inbox: Inbox;
	#state: State = { is: "waiting" };
	#feed: AudioFeed | undefined;
	readonly #clientTimeout = new ClientTimeout(
		(slow) => this.#handle({ is: "late", slow }),
		() => this.#feed?.holding ?? false,
		(act) => this.behindArrived(act),
	);
	#closing: NodeJS.Timeout | undefined;
	#closeNow: (() => void) | undefined;
	#ending: SessionEnding = { namespace: "none", status: "gone", audioMs: 0 };
	#closed = false;

	constructor(parts: LiveSessionParts, socket: LiveSocket) {
		this.#parts = parts;
		this.#socket = socket;
		this.#log = parts.log.child({ task: this.#taskId });
		this.#holds = new SocketHolds(socket);
		this.#inbox = new Inbox({
			handle: (message) => this.#read(message),
			refuse: (error) => this.#handle({ is: "refused", error }),
			socket: this.#holds.heldBy("inbox"),
		});
		this.#perform(begin(parts.context));
	}

	/** State of the protocol. */
	get state(): State {
		return this.#state;
	}

	/** Acts when what the client has sent by now is handled. */
	behindArrived(act: () => void): void {
		this.#inbox.behind(act);
	}

	onText(text: string): void {
		this.#inbox.accept(text);
	}

	onBinary(bytes: Uint8Array): void {
		this.#inbox.accept(bytes);
	}

	/** Refuses the caller: the error is the first and last message. */
	refuse(error: CodedError): void {
		this.#handle({ is: "refused", error });
	}

	/** The server is stopping. */
	shutDown(): void {
		this.#handle({ is: "shutdown" });
		this.#closeNow?.(); // without the grace period
	}

	onClosed(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#inbox.close();
		this.#handle({ is: "gone" });
		this.#feed?.cancel();
		this.#clientTimeout.end();
		clearTimeout(this.#closing);
		const seconds = (performance.now() - this.#startedMs) / 1000;
		this.#log.info(
			{ ...this.#ending, seconds: Math.round(seconds * 10) / 10 },
			"session ended",
		);
		const { measured } = this.#parts;
		measured.audioRecognized(this.#ending.audioMs / 1000);
		measured.ended(this.#ending.status);
		this.#parts.onOver(this.#ending);
	}

	/** @returns a promise where it takes longer than a moment. */
	#read(message: Arrived): Promise<void> | undefined {
		if (typeof message !== "string") {
			this.#handle({ is: "audio", bytes: message });
			return undefined;
		}
		return readText(
			message,
			(read) => this.#handle({ is: "message", message: read }),
			(thrown) =>
				this.#handle({ is: "bad-message", error: this.#coded(thrown) }),
		);
	}

	#handle(event: Event): void {
		const { context } = this.#parts;
		try {
			this.#perform(step(context, this.#state, event));
		} catch (thrown) {
			const error = this.#coded(thrown);
			this.#perform(step(context, this.#state, { is: "failed", error }));
		}
	}

	#perform({ state, effects }: Step): void {
		this.#state = state;
		for (const effect of effects) this.#do(effect);
	}

	#do(effect: Effect): void {
		switch (effect.do) {
			case "open":
				this.#socket.started();
				this.#feed = this.#open(effect.options);
				break;
			case "write":
				this.#parts.measured.audioBegan();
				this.#feed?.write(effect.bytes);
				break;
			case "end-sentence":
				this.#feed?.endSentence();
				break;
			case "finish":
				this.#parts.measured.audioEnded();
				this.#feed?.finish();
				break;
			case "cancel":
				this.#feed?.cancel();
				break;
			case "send":
				this.#send(effect.message);
				break;
			case "await-client":
				this.#clientTimeout.begin(effect.seconds);
				break;
			case "await-longer":
				this.#clientTimeout.extend(effect.seconds);
				break;
			case "await-nothing":
				this.#clientTimeout.end();
				break;
			case "note-unknown":
				this.#log.debug({ unknown: effect.names }, "unknown options ignored");
				break;
			case "close":
				this.#close(effect.code, effect.afterMs);
		}
	}

	#open(options: Extract<Effect, { do: "open" }>["options"]): AudioFeed {
		const { lane, caller } = this.#parts;
		const socket = this.#holds.heldBy("feed");
		return new AudioFeed(lane, options, caller, socket, (event) => {
			if ("error" in event) this.#coded(event.error);
			this.#handle(event);
		});
	}

	#send(message: ServerMessage): void {
		this.#note(message);
		const ids = { taskId: this.#taskId, appId: this.#parts.appId };
		this.#socket.send(renderMessage(message, ids, newId()));
		const bytes = this.#socket.unreadBytes;
		if (bytes > this.#parts.unreadBytesMax)
			this.#handle({ is: "unread", bytes });
	}

	/** Updates the summary that the session's end reports. */
	#note({ name, namespace, trouble, result }: ServerMessage): void {
		if (name === "pong") return;
		const ends = name === "TaskFailed" || name.endsWith("Completed");
		if (result?.text) this.#parts.measured.text();
		if (ends && !trouble) this.#parts.measured.final();
		this.#ending = {
			namespace: result || this.#feed ? namespace : this.#ending.namespace,
			status: ends ? (trouble?.status ?? successStatus) : this.#ending.status,
			audioMs: Math.max(this.#ending.audioMs, result?.timeMs ?? 0),
		};
	}

	#close(code: number, afterMs: number): void {
		const closeNow = () => this.#socket.close(code, "");
		this.#closeNow = closeNow;
		if (afterMs === 0) closeNow();
		else this.#closing = setTimeout(closeNow, afterMs);
	}

	#coded(thrown: unknown): CodedError {
		return loggedError(thrown, this.#log, "session failed");
	}
}

function newId(): string {
	return randomBytes(idBytes).toString("hex");
}
