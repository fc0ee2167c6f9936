/** A Vosk client as its authors' scripts are written: it sends a message, then waits for the answer. */
import WebSocket, { type ClientOptions } from "ws";
import { eventually } from "../fixtures/eventually.js";

export interface Answer {
	readonly partial?: string;
	readonly text?: string;
	readonly result?: readonly {
		readonly word: string;
		readonly start: number;
		readonly end: number;
		readonly conf: number;
	}[];
	readonly alternatives?: readonly Answer[];
}

export interface Closed {
	readonly code: number;
	readonly reason: string;
}

export class VoskClient {
	readonly socket: WebSocket;
	readonly answers: Answer[] = [];
	readonly closed: Promise<Closed>;

	private constructor(socket: WebSocket) {
		this.socket = socket;
		socket.on("message", (data) => this.answers.push(JSON.parse(`${data}`)));
		socket.on("error", () => {}); // the close says more
		this.closed = new Promise((resolve) => {
			socket.once("close", (code, reason) =>
				resolve({ code, reason: `${reason}` }),
			);
		});
	}

	static open(
		port: number,
		path = "/",
		options: ClientOptions = {},
	): Promise<VoskClient> {
		const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
		const client = new VoskClient(socket);
		return new Promise((resolve, reject) => {
			socket.once("open", () => resolve(client));
			socket.once("error", reject);
		});
	}

	configure(config: object): void {
		this.socket.send(JSON.stringify({ config }));
	}

	/** @param message audio, its length, or a text. @returns the answer. */
	async ask(message: number | Uint8Array | string): Promise<Answer> {
		const nth = this.answers.length;
		this.socket.send(
			typeof message === "number" ? new Uint8Array(message) : message,
		);
		return this.answer(nth);
	}

	/** @param nth counts from 0. */
	answer(nth: number): Promise<Answer> {
		return eventually(`answer ${nth}`, () => this.answers[nth], {
			seen: () => [this.socket.readyState, this.answers],
		});
	}

	eof(): Promise<Answer> {
		return this.ask('{"eof" : 1}');
	}
}
