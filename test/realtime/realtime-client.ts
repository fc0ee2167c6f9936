/** A Realtime client that sends whatever a test wants, including invalid events, and records every answer. */
import WebSocket from "ws";

export interface ServerEvent {
	readonly type: string;
	readonly event_id: string;
	readonly item_id?: string;
	readonly delta?: string;
	readonly transcript?: string;
	readonly session?: Record<string, unknown>;
	readonly error?: Record<string, unknown>;
	readonly [key: string]: unknown;
}

export interface RealtimeOptions {
	readonly token?: string;
	readonly query?: string;
	readonly protocols?: readonly string[];
	readonly headers?: Readonly<Record<string, string>>;
}

export const transcription = "conversation.item.input_audio_transcription";

export class RealtimeClient {
	readonly socket: WebSocket;
	readonly events: ServerEvent[] = [];
	/** The close code, once it is closed. */
	readonly closed: Promise<number>;
	readonly #wake = new Set<() => void>();

	private constructor(socket: WebSocket) {
		this.socket = socket;
		socket.on("message", (data) => {
			this.events.push(JSON.parse(String(data)) as ServerEvent);
			this.#changed();
		});
		this.closed = new Promise((resolve) => {
			socket.on("close", (code) => {
				resolve(code);
				this.#changed();
			});
		});
		socket.on("error", () => {}); // the close code is what counts
	}

	/** @returns an open client. Rejects if the upgrade is refused. */
	static open(
		url: string,
		options: RealtimeOptions = {},
	): Promise<RealtimeClient> {
		const { token, query = "?intent=transcription", protocols = [] } = options;
		const socket = new WebSocket(
			`${url.replace("http", "ws")}/v1/realtime${query}`,
			[...protocols],
			{
				headers: {
					...(token !== undefined && { Authorization: `Bearer ${token}` }),
					...options.headers,
				},
			},
		);
		const client = new RealtimeClient(socket);
		return new Promise((resolve, reject) => {
			socket.once("open", () => resolve(client));
			socket.once("error", reject);
		});
	}

	/** Of the events so far, those after the first answers to the connection. */
	get types(): string[] {
		return this.events.map((it) => it.type);
	}

	get deltas(): string {
		return this.events.map((it) => it.delta ?? "").join("");
	}

	send(type: string, more: object = {}): void {
		this.socket.send(JSON.stringify({ type, ...more }));
	}

	update(input: object, more: object = {}): void {
		this.send("session.update", {
			session: { type: "transcription", audio: { input }, ...more },
		});
	}

	append(audio: Uint8Array | number): void {
		const bytes = typeof audio === "number" ? new Uint8Array(audio) : audio;
		this.send("input_audio_buffer.append", {
			audio: Buffer.from(bytes).toString("base64"),
		});
	}

	commit(): void {
		this.send("input_audio_buffer.commit");
	}

	/** The first event of that type, as soon as it arrives. Rejects when the socket closes without it. */
	async receive(type: string, nth = 1): Promise<ServerEvent> {
		for (;;) {
			const found = this.events.filter((it) => it.type === type)[nth - 1];
			if (found) return found;
			if (this.socket.readyState === WebSocket.CLOSED)
				throw new Error(
					`closed without ${type}: ${JSON.stringify(this.events)}`,
				);
			await new Promise<void>((resolve) => {
				const wake = () => {
					this.#wake.delete(wake);
					resolve();
				};
				this.#wake.add(wake);
			});
		}
	}

	completed(nth = 1): Promise<ServerEvent> {
		return this.receive(`${transcription}.completed`, nth);
	}

	/** Forgets the events so far. */
	forget(): void {
		this.events.length = 0;
	}

	#changed(): void {
		for (const wake of this.#wake) wake();
	}
}
