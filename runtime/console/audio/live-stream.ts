/** A streaming session on `/v1/asr/ws`, in the messages of the client's source. Its cookie is the page's. */
import {
	endSentenceMessage,
	parseMessage,
	type Result,
	type StartOptions,
	startMessage,
	stopMessage,
} from "../../client/messages.js";
import { socketUrl } from "../app/api.js";

export interface StreamListener {
	onStarted(): void;
	onResult(result: Result): void;
	/** The session is over. @param reason undefined: as it should; "": the connection was lost, and the device has said nothing */
	onOver(reason: string | undefined): void;
	/** It is over before it began: nothing has come of the device, nor of what is between. */
	onSilent(): void;
}

const namespace = "SpeechTranscriber";
/** More than two seconds of audio that the network has not taken: what comes now is dropped, and counted. */
const bufferedBytesMax = 64 * 1024;
/** Until the device has started the session: some networks swallow what is sent, and nobody is told. */
const startMsMax = 10_000;

export class LiveStream {
	readonly #socket: WebSocket;
	readonly #listener: StreamListener;
	#isStarted = false;
	#isOver = false;
	readonly #starting: ReturnType<typeof setTimeout>;
	#waiting: Int16Array[] = [];
	dropped = 0;

	constructor(options: StartOptions, listener: StreamListener) {
		this.#listener = listener;
		this.#socket = new WebSocket(socketUrl("v1/asr/ws"));
		this.#socket.onopen = () =>
			this.#socket.send(startMessage(namespace, options));
		this.#socket.onmessage = ({ data }) => this.#onMessage(String(data));
		this.#socket.onclose = ({ reason }) => this.#end(reason);
		this.#starting = setTimeout(() => {
			this.#isOver = true;
			this.#socket.close();
			this.#listener.onSilent();
		}, startMsMax);
	}

	/** Bytes that wait for the network. */
	get lagBytes(): number {
		return this.#socket.bufferedAmount;
	}

	send(samples: Int16Array): void {
		if (this.#isOver) return;
		if (!this.#isStarted) {
			this.#waiting.push(samples);
			return;
		}
		if (this.#socket.bufferedAmount > bufferedBytesMax) this.dropped++;
		else this.#socket.send(samples as Int16Array<ArrayBuffer>);
	}

	endSentence(): void {
		if (this.#isStarted) this.#socket.send(endSentenceMessage());
	}

	/** `onOver` follows once the last result is here. */
	stop(): void {
		if (this.#isStarted) this.#socket.send(stopMessage(namespace));
		else this.close();
	}

	close(): void {
		this.#end(undefined);
		this.#socket.close(1000);
	}

	#onMessage(text: string): void {
		const message = parseMessage(text);
		switch (message?.is) {
			case "started":
				this.#isStarted = true;
				clearTimeout(this.#starting);
				for (const samples of this.#waiting) this.send(samples);
				this.#waiting = [];
				this.#listener.onStarted();
				return;
			case "failed":
				this.#end(message.text || message.status);
				return;
			case "result":
				this.#listener.onResult(message.result);
				if (message.result.is === "completed") this.close();
				return;
			default:
		}
	}

	#end(reason: string | undefined): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#starting);
		this.#listener.onOver(reason);
	}
}
