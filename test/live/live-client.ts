/** A client that sends whatever a test wants, including invalid messages, and records every answer. */
import WebSocket from "ws";

export interface ReceivedMessage {
	readonly header: {
		readonly namespace: string;
		readonly name: string;
		readonly status: string;
		readonly status_text: string;
		readonly task_id: string;
		readonly message_id: string;
		readonly app_id: string;
		readonly user_id?: string;
	};
	readonly payload: {
		readonly index?: number;
		readonly time?: number;
		readonly begin_time?: number;
		readonly speaker_id?: string | null;
		readonly result?: string;
		readonly spoken?: string;
		readonly lang_type?: string;
		readonly confidence?: number;
		readonly words?: readonly Record<string, unknown>[] | null;
		readonly user_id?: string;
	};
}

export interface ClientOptions {
	readonly path?: string;
	readonly token?: string;
	readonly protocols?: readonly string[];
	readonly headers?: Readonly<Record<string, string>>;
	/** Local address to connect from. */
	readonly localAddress?: string;
}

export class LiveClient {
	readonly socket: WebSocket;
	readonly messages: ReceivedMessage[] = [];
	/** The close code, once it is closed. */
	readonly closed: Promise<number>;
	#wake = new Set<() => void>();

	private constructor(socket: WebSocket) {
		this.socket = socket;
		socket.on("message", (data) => {
			this.messages.push(JSON.parse(String(data)) as ReceivedMessage);
			for (const wake of this.#wake) wake();
		});
		this.closed = new Promise((resolve) => {
			socket.on("close", (code) => {
				resolve(code);
				for (const wake of this.#wake) wake();
			});
		});
		socket.on("error", () => {}); // the close is reported
	}

	/** @returns an open client. Rejects if the upgrade is refused. */
	static open(url: string, options: ClientOptions = {}): Promise<LiveClient> {
		const { path = "/v1/asr/ws", token, protocols, headers } = options;
		const { localAddress } = options;
		const socket = new WebSocket(
			url.replace("http", "ws") + path,
			[...(protocols ?? [])],
			{
				...(localAddress !== undefined && { localAddress }),
				headers: {
					...(token !== undefined && { Authorization: `Bearer ${token}` }),
					...headers,
				},
			},
		);
		const client = new LiveClient(socket);
		return new Promise((resolve, reject) => {
			socket.once("open", () => resolve(client));
			socket.once("error", reject);
		});
	}

	get names(): string[] {
		return this.messages.map((it) => it.header.name);
	}

	send(name: string, payload?: object, namespace = "SpeechRecognizer"): void {
		this.socket.send(
			JSON.stringify({
				header: { namespace, name },
				...(payload && { payload }),
			}),
		);
	}

	start(options: object = {}): void {
		this.send("StartRecognition", { lang_type: "en-US", ...options });
	}

	stop(): void {
		this.send("StopRecognition");
	}

	transcribe(options: object = {}): void {
		const payload = { lang_type: "en-US", ...options };
		this.send("StartTranscription", payload, "SpeechTranscriber");
	}

	audio(bytes: number | Uint8Array): void {
		this.socket.send(
			typeof bytes === "number" ? new Uint8Array(bytes) : bytes,
			{ binary: true },
		);
	}

	/** The first message of that name, as soon as it arrives. Rejects when the socket closes without it. */
	async receive(name: string, nth = 1): Promise<ReceivedMessage> {
		for (;;) {
			const found = this.messages.filter((it) => it.header.name === name)[
				nth - 1
			];
			if (found) return found;
			if (this.socket.readyState === WebSocket.CLOSED)
				throw new Error(
					`closed without ${name}: ${JSON.stringify(this.messages)}`,
				);
			await this.#change();
		}
	}

	#change(): Promise<void> {
		return new Promise((resolve) => {
			const wake = () => {
				this.#wake.delete(wake);
				resolve();
			};
			this.#wake.add(wake);
		});
	}
}
