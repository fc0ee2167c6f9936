/**
 * A client of earshot's streaming recognition: audio in, results out, one session per client. Standalone: it needs nothing of the runtime.
 *
 *     const client = new EarshotClient({ url: "http://127.0.0.1:7100", token });
 *     await client.start({ lang_type: "en-US" });
 *     ... await client.send(bytes) as they come; for await (const result of client) as they are recognized
 *     const { text } = await client.stop();
 *
 * INVARIANTS
 * - Every wait ends: with its result, or with the one error that ended the session.
 * - After the completed result nothing fails any more: the session has served its purpose.
 * - Nothing is sent, and no result is returned, after the end.
 */
import { ConnectionLostError, TaskFailedError } from "./client-error.js";
import type { ClientSocket, OpenSocket } from "./client-socket.js";
import { deferred } from "./deferred.js";
import {
	endSentenceMessage,
	type Namespace,
	parseMessage,
	type Result,
	type ServerMessage,
	type StartOptions,
	startMessage,
	startSpeakerMessage,
	stopMessage,
} from "./messages.js";
import { ResultQueue } from "./result-queue.js";
import { SendBuffer } from "./send-buffer.js";

export interface ClientOptions {
	/** Address of the appliance, such as `http://127.0.0.1:7100`; or a full address that ends in `/ws`. */
	readonly url: string;
	/** Absent for an appliance that requires none (`auth.required=false`). */
	readonly token?: string | undefined;
	/** `SpeechRecognizer` (default): one utterance of at most `duration`. `SpeechTranscriber`: sentence after sentence, for hours. */
	readonly namespace?: Namespace;
	/** Ends the session at once, whatever it waits for; every call then throws the signal's reason. */
	readonly signal?: AbortSignal;
	/** Until the service has started the session. */
	readonly startTimeoutMs?: number;
	/**
	 * Maximum time without a message between a stop and the completed result; by default the longest `duration` of a session. Without intermediate results
	 * nothing comes meanwhile, and a file may have been sent faster than a device recognizes it.
	 */
	readonly silenceTimeoutMs?: number;
	/** Unsent bytes above which `send` waits. */
	readonly bufferedBytesMax?: number;
}

export type Completed = Extract<Result, { is: "completed" }>;

type Phase =
	| { readonly is: "new" }
	| { readonly is: "starting" | "listening" | "stopping" }
	| { readonly is: "completed"; readonly result: Completed }
	| { readonly is: "failed"; readonly error: unknown };

export class StreamClient implements AsyncIterable<Result> {
	readonly #options: ClientOptions;
	readonly #openSocket: OpenSocket;
	readonly #namespace: Namespace;
	readonly #results = new ResultQueue();
	readonly #sendBuffer: SendBuffer;
	readonly #started = deferred<void>();
	readonly #completed = deferred<Completed>();
	#phase: Phase = { is: "new" };
	#socket: ClientSocket | undefined;
	#taskId = "";
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(options: ClientOptions, openSocket: OpenSocket) {
		this.#options = options;
		this.#openSocket = openSocket;
		this.#namespace = options.namespace ?? "SpeechRecognizer";
		this.#sendBuffer = new SendBuffer(options.bufferedBytesMax ?? 256 * 1024);
	}

	/** The service's id of this session, once it has started. */
	get taskId(): string {
		return this.#taskId;
	}

	/** Connects, and resolves when the service accepts audio. @throws RefusedError, TaskFailedError, ConnectionLostError */
	async start(options: StartOptions): Promise<void> {
		if (this.#phase.is !== "new")
			throw new Error("a client serves one session: create another client");
		this.#phase = { is: "starting" };
		const { signal, startTimeoutMs = 10_000 } = this.#options;
		if (signal?.aborted) return this.#fail(signal.reason, true);
		signal?.addEventListener("abort", this.#onAbort, { once: true });
		this.#expectWithin(startTimeoutMs, "the service did not start in time");
		try {
			this.#connect(startMessage(this.#namespace, options));
		} catch (error) {
			this.#fail(error, true);
		}
		await this.#started.promise;
	}

	/**
	 * Sends audio, cut anywhere. Resolves when there is room for more.
	 * @returns false when no more audio is accepted: the result has arrived, or a stop was sent.
	 * @throws the error of the session.
	 */
	async send(bytes: Uint8Array): Promise<boolean> {
		this.#throwIfFailed();
		if (this.#phase.is === "new" || this.#phase.is === "starting")
			throw new Error("send before start");
		if (this.#phase.is !== "listening" || !this.#socket) return false;
		this.#socket.send(bytes, this.#sendBuffer.add(bytes.byteLength));
		await this.#sendBuffer.drained();
		this.#throwIfFailed();
		return this.#phase.is === "listening";
	}

	/** Transcriber: ends the sentence here, even while speech continues. */
	endSentence(): void {
		this.#throwIfFailed();
		if (this.#phase.is === "listening")
			this.#socket?.send(endSentenceMessage());
	}

	/** Transcriber: says who speaks from here on; results return it. @param speakerId of at most 36 characters. */
	startSpeaker(speakerId: string): void {
		this.#throwIfFailed();
		if (this.#phase.is === "listening")
			this.#socket?.send(startSpeakerMessage(speakerId));
	}

	/** Ends the audio. Resolves with the last result, also when called again. @throws the error of the session. */
	async stop(): Promise<Completed> {
		if (this.#phase.is === "new" || this.#phase.is === "starting")
			throw new Error("stop before start");
		if (this.#phase.is === "listening") {
			this.#phase = { is: "stopping" };
			this.#socket?.send(stopMessage(this.#namespace));
			this.#expectLife();
		}
		return this.#completed.promise;
	}

	/** Ends the session without its result; idempotent. */
	close(): void {
		this.#fail(new ConnectionLostError(1000, "the session was closed"));
	}

	/** Results in order, the completed one last. Leaving the loop early ends the session. @throws the error of the session. */
	async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
		try {
			for (;;) {
				const result = await this.#results.next();
				if (!result) return;
				yield result;
			}
		} finally {
			this.close();
		}
	}

	#connect(firstMessage: string): void {
		const { url, token } = this.#options;
		this.#socket = this.#openSocket(url, token, {
			onOpen: () => this.#socket?.send(firstMessage),
			onText: (text) => this.#onMessage(parseMessage(text)),
			onNoText: () => this.#failOn("binary data"),
			onLost: (error) => this.#fail(error),
		});
	}

	#onMessage(message: ServerMessage | undefined): void {
		if (this.#isOver()) return;
		if (!message) {
			this.#failOn("a message that is not text");
			return;
		}
		if (this.#phase.is === "stopping") this.#expectLife();
		switch (message.is) {
			case "started":
				this.#onStarted(message.taskId);
				return;
			case "failed": {
				const { status, text, taskId } = message;
				this.#fail(new TaskFailedError(status, text, taskId));
				return;
			}
			case "result":
				if (this.#phase.is === "starting")
					this.#failOn("a result before the session started");
				else this.#onResult(message.result);
				return;
			case "other":
		}
	}

	#onStarted(taskId: string): void {
		if (this.#phase.is !== "starting") return;
		clearTimeout(this.#timer);
		this.#taskId = taskId;
		this.#phase = { is: "listening" };
		this.#started.resolve();
	}

	#onResult(result: Result): void {
		this.#results.push(result);
		if (result.is !== "completed") return;
		this.#phase = { is: "completed", result };
		this.#completed.resolve(result);
		this.#end();
		this.#socket?.close();
	}

	/** The message is not part of the protocol: the service is not earshot. */
	#failOn(what: string): void {
		this.#fail(
			new ConnectionLostError(
				1002,
				`the service sent ${what} instead of a valid message`,
			),
		);
	}

	readonly #onAbort = () => this.#fail(this.#options.signal?.reason);

	#fail(error: unknown, rethrow = false): void {
		if (!this.#isOver()) {
			this.#phase = { is: "failed", error };
			this.#started.reject(error);
			this.#completed.reject(error);
			this.#end({ error });
			this.#socket?.terminate();
		}
		if (rethrow) throw error;
	}

	#end(end: { error?: unknown } = {}): void {
		clearTimeout(this.#timer);
		this.#options.signal?.removeEventListener("abort", this.#onAbort);
		this.#results.end(end);
		this.#sendBuffer.close();
	}

	#isOver(): boolean {
		return this.#phase.is === "completed" || this.#phase.is === "failed";
	}

	#throwIfFailed(): void {
		if (this.#phase.is === "failed") throw this.#phase.error;
	}

	/** After a stop the service must send something from time to time. */
	#expectLife(): void {
		const { silenceTimeoutMs = 600_000 } = this.#options;
		this.#expectWithin(silenceTimeoutMs, "the service went silent");
	}

	#expectWithin(milliseconds: number, message: string): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => this.#fail(new ConnectionLostError(1006, message)),
			milliseconds,
		);
	}
}
