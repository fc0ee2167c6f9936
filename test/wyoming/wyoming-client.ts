/** A peer that sends whatever a test wants, including what is no Wyoming at all, and records every event. Written from the protocol's description, not from our code. */
import { connect, type Socket } from "node:net";
import { eventually } from "../fixtures/eventually.js";

export interface ReceivedEvent {
	readonly type: string;
	readonly data: Readonly<Record<string, unknown>>;
}

/** 16 kHz, 16 bits, mono. */
export const pcm = { rate: 16_000, width: 2, channels: 1 };

export function frame(
	type: string,
	data?: object,
	payload?: Uint8Array,
): Buffer {
	const block = Buffer.from(data ? JSON.stringify(data) : "");
	const line = JSON.stringify({
		type,
		version: "1.8.0",
		...(block.length > 0 && { data_length: block.length }),
		...(payload && { payload_length: payload.length }),
	});
	return Buffer.concat([
		Buffer.from(`${line}\n`),
		block,
		...(payload ? [payload] : []),
	]);
}

export class WyomingClient {
	readonly socket: Socket;
	readonly events: ReceivedEvent[] = [];
	readonly closed: Promise<void>;
	isClosed = false;
	#bytes = Buffer.alloc(0);

	private constructor(socket: Socket) {
		this.socket = socket;
		socket.on("data", (bytes) => {
			this.#bytes = Buffer.concat([this.#bytes, bytes]);
			while (this.#read());
		});
		socket.on("error", () => {}); // a reset: the close is reported
		this.closed = new Promise((resolve) => {
			socket.once("close", () => {
				this.isClosed = true;
				resolve();
			});
		});
	}

	static open(port: number, host = "127.0.0.1"): Promise<WyomingClient> {
		const socket = connect(port, host);
		const client = new WyomingClient(socket);
		return new Promise((resolve, reject) => {
			socket.once("connect", () => resolve(client));
			socket.once("error", reject);
		});
	}

	get types(): string[] {
		return this.events.map((it) => it.type);
	}

	send(type: string, data?: object, payload?: Uint8Array): void {
		this.socket.write(frame(type, data, payload));
	}

	raw(bytes: string | Uint8Array): void {
		this.socket.write(bytes);
	}

	/** @param bytes their number, or themselves. */
	audio(bytes: number | Uint8Array, format = pcm): void {
		const payload = typeof bytes === "number" ? new Uint8Array(bytes) : bytes;
		this.send("audio-chunk", format, payload);
	}

	/** The nth event of that type, as soon as it comes. */
	receive(type: string, nth = 1): Promise<ReceivedEvent> {
		return eventually(
			`${type} ${nth}`,
			() => {
				const found = this.events.filter((it) => it.type === type)[nth - 1];
				if (!found && this.isClosed) throw new Error("closed without it");
				return found;
			},
			{ seen: () => this.events },
		);
	}

	#read(): boolean {
		const end = this.#bytes.indexOf("\n");
		if (end < 0) return false;
		const line = JSON.parse(this.#bytes.subarray(0, end).toString()) as {
			type: string;
			data_length?: number;
			payload_length?: number;
		};
		const { data_length = 0, payload_length = 0 } = line;
		const from = end + 1;
		if (this.#bytes.length < from + data_length + payload_length) return false;
		const block = this.#bytes.subarray(from, from + data_length).toString();
		const data = data_length > 0 ? JSON.parse(block) : {};
		this.events.push({ type: line.type, data });
		this.#bytes = this.#bytes.subarray(from + data_length + payload_length);
		return true;
	}
}
