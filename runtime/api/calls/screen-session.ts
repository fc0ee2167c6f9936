/** An agent's screen: who watches a call gets both legs, what was said lately first. It sends nothing. */
import type { CallEvent } from "../../calls/call-events.js";
import type { Calls, GoingCall } from "../../calls/calls.js";
import { CodedError } from "../../errors.js";
import { normalClosure } from "../close-reason.js";
import type { LiveSocket, SocketListener } from "../live-socket.js";
import { errorMessage, transcriptionMessage } from "./call-message.js";

export interface ScreenParts {
	readonly calls: Pick<Calls, "onEvent">;
	readonly call: GoingCall;
	readonly unreadBytesMax: number;
	readonly onOver: () => void;
}

export class ScreenSession implements SocketListener {
	readonly #parts: ScreenParts;
	readonly #socket: LiveSocket;
	readonly #unsubscribe: () => void;
	#isOver = false;

	constructor(parts: ScreenParts, socket: LiveSocket) {
		this.#parts = parts;
		this.#socket = socket;
		const { place, legs, recent } = parts.call;
		this.#send({
			type: "call",
			call: place.call,
			task_id: place.taskId,
			language: place.language,
			began_at_ms: Math.round(place.beganAtMs),
			legs: legs.map(({ leg, speaker }) => ({ leg, channel: speaker })),
		});
		for (const event of recent) this.#sendEvent(event);
		this.#unsubscribe = parts.calls.onEvent((event) => {
			if (event.taskId === place.taskId) this.#sendEvent(event);
		});
	}

	onText(): void {}

	onBinary(): void {}

	onClosed(): void {
		this.#isOver = true;
		this.#unsubscribe();
		this.#parts.onOver();
	}

	/** Tells it why, and closes. */
	refuse(error: CodedError): void {
		if (this.#isOver) return;
		this.#send(errorMessage(error));
		this.#socket.close(error.wsClose, "");
	}

	#sendEvent(event: CallEvent): void {
		if (this.#isOver) return;
		switch (event.is) {
			case "joined":
			case "left": {
				const { is, call, leg, speaker } = event;
				this.#send({ type: "leg", event: is, call, leg, channel: speaker });
				return;
			}
			case "partial":
			case "final":
				this.#send(transcriptionMessage(event, event.is, event.utterance));
				return;
			case "ended":
				this.#send({ type: "end", call: event.call, task_id: event.taskId });
				this.#socket.close(normalClosure, "");
		}
	}

	#send(message: object): void {
		this.#socket.send(JSON.stringify(message));
		if (this.#socket.unreadBytes <= this.#parts.unreadBytesMax) return;
		const { wsClose } = new CodedError("230001");
		this.#socket.close(wsClose, "");
	}
}
