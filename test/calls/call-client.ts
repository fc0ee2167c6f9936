/** A telephone system's side of a call: sends whatever a test wants, and records every answer. Written from the programs' documents, not from our code. */
import { once } from "node:events";
import type { Socket } from "node:net";
import WebSocket from "ws";
import { eventually } from "../fixtures/eventually.js";

export type ServerMessage = Readonly<Record<string, unknown>> & {
	readonly type: string;
	readonly is_final?: boolean;
	readonly alternatives?: readonly { readonly transcript: string }[];
};

export interface CallWay {
	/** Of the API: `http://127.0.0.1:7100`. */
	readonly url: string;
	readonly token?: string;
	readonly query?: Readonly<Record<string, string>>;
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly protocols?: readonly string[];
}

export class CallClient {
	readonly messages: ServerMessage[] = [];
	/** Frames with binary data that came. */
	binaries = 0;
	closeCode: number | undefined;
	closeReason = "";

	private constructor(readonly socket: WebSocket) {
		socket.on("message", (data, isBinary) => {
			if (isBinary) this.binaries++;
			else this.messages.push(JSON.parse(String(data)) as ServerMessage);
		});
		socket.on("close", (code, reason) => {
			this.closeCode = code;
			this.closeReason = String(reason);
		});
		socket.on("error", () => {}); // the close is reported
	}

	/** Rejects if the upgrade is refused. */
	static async open(way: CallWay): Promise<CallClient> {
		const { url, token, query = {}, path = "/v1/calls/ws" } = way;
		const socket = new WebSocket(
			`${url.replace("http", "ws")}${path}?${new URLSearchParams(query)}`,
			[...(way.protocols ?? [])],
			{
				perMessageDeflate: true,
				headers: {
					...(token !== undefined && { Authorization: `Bearer ${token}` }),
					...way.headers,
				},
			},
		);
		const client = new CallClient(socket);
		await once(socket, "open");
		return client;
	}

	send(message: object | string): void {
		this.socket.send(
			typeof message === "string" ? message : JSON.stringify(message),
		);
	}

	/** @param pieceBytes of a frame: 20 ms of mu-law by default. */
	audio(bytes: Uint8Array, pieceBytes = 160): void {
		for (let at = 0; at < bytes.length; at += pieceBytes)
			this.socket.send(bytes.subarray(at, at + pieceBytes));
	}

	/** A binary message of so many bytes, of which the last one is not sent. */
	beginMessage(bytes: number): void {
		const head = Buffer.alloc(14); // the mask is of zeros
		head.writeUInt16BE(0x82ff); // final, binary; masked, a long length follows
		head.writeBigUInt64BE(BigInt(bytes), 2);
		this.#raw.write(Buffer.concat([head, Buffer.alloc(bytes - 1)]));
	}

	/** The last byte of the message that was begun. */
	endMessage(): void {
		this.#raw.write(Buffer.alloc(1));
	}

	/** Below the WebSocket, which sends whole messages only. */
	get #raw(): Socket {
		return (this.socket as unknown as { readonly _socket: Socket })._socket;
	}

	/** As it is spoken. */
	async speak(bytes: Uint8Array, bytesPerSecond: number): Promise<void> {
		const pieceBytes = bytesPerSecond / 50;
		const beganMs = performance.now();
		for (let at = 0; at < bytes.length; at += pieceBytes) {
			const dueMs = beganMs + (at * 1000) / bytesPerSecond;
			const waitMs = dueMs - performance.now();
			if (waitMs > 0)
				await new Promise((resolve) => setTimeout(resolve, waitMs));
			this.socket.send(bytes.subarray(at, at + pieceBytes));
		}
	}

	get finals(): string[] {
		return this.messages
			.filter((it) => it.is_final)
			.map((it) => it.alternatives?.[0]?.transcript ?? "");
	}

	/** The nth message of that type. */
	receive(type: string, nth = 1): Promise<ServerMessage> {
		return eventually(
			`${type} ${nth}`,
			() => {
				const found = this.messages.filter((it) => it.type === type)[nth - 1];
				if (!found && this.closeCode !== undefined)
					throw new Error(
						`closed without it: ${JSON.stringify(this.messages)}`,
					);
				return found;
			},
			{ seen: () => this.messages },
		);
	}

	closed(): Promise<number> {
		return eventually("the close", () => this.closeCode, {
			seen: () => this.messages,
		});
	}

	hangUp(): void {
		this.socket.close();
	}
}
