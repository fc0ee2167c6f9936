/**
 * Publishes recognized speech of microphones and calls: finals through the outbox, in the order of each microphone and of each call; wake words and partials at
 * once or not at all.
 */

import type { CallEvent, CallEvents } from "../calls/call-events.js";
import type { LogPort } from "../log/log-port.js";
import type { MicrophoneEvent } from "../microphones/microphone-events.js";
import type { FleetMicrophones } from "./appliance-port.js";
import type { BrokerConnection } from "./broker/connection.js";
import type { FleetOutbox } from "./outbox/outbox.js";
import { callUtteranceMessage } from "./payloads/call-events.js";
import { utteranceMessage, wakeMessage } from "./payloads/events.js";
import type { Topics } from "./topics.js";

export interface TranscriptPublisherParts {
	readonly microphones: FleetMicrophones;
	readonly calls: CallEvents;
	readonly outbox: FleetOutbox;
	readonly topics: Topics;
	/** `fleet.partials`, in force now. */
	readonly publishesPartials: () => boolean;
	readonly connection: () => BrokerConnection | undefined;
	readonly log: LogPort;
}

export class TranscriptPublisher {
	readonly #parts: TranscriptPublisherParts;
	#unsubscribe: readonly (() => void)[] = [];
	/** A late partial is worthless: the next one follows. */
	#isPublishing = false;

	constructor(parts: TranscriptPublisherParts) {
		this.#parts = parts;
	}

	start(): void {
		const { microphones, calls } = this.#parts;
		this.#unsubscribe = [
			microphones.onEvent((event) => this.#onEvent(event)),
			calls.onEvent((event) => this.#onCall(event)),
		];
	}

	stop(): void {
		for (const unsubscribe of this.#unsubscribe) unsubscribe();
	}

	#onEvent(event: MicrophoneEvent): void {
		if (event.is === "wake")
			this.#publishWake(JSON.stringify(wakeMessage(event)));
		if (event.is !== "final" && event.is !== "partial") return;
		if (event.utterance.text === "") return;
		const text = () => JSON.stringify(utteranceMessage(event));
		if (event.is === "final")
			this.#storeFinal(`final ${event.microphone}`, text());
		else if (this.#parts.publishesPartials()) this.#publishPartial(text);
	}

	#onCall(event: CallEvent): void {
		if (event.is !== "final" && event.is !== "partial") return;
		const text = () => JSON.stringify(callUtteranceMessage(event, Date.now()));
		if (event.is === "final") this.#storeFinal(`call ${event.taskId}`, text());
		else if (this.#parts.publishesPartials()) this.#publishPartial(text);
	}

	/** @param order those with the same one are sent in order. */
	#storeFinal(order: string, text: string): void {
		const { outbox, log } = this.#parts;
		outbox
			.add(order, text)
			.catch((error: unknown) =>
				log.error(
					{ err: error, order },
					"failed to queue a final for the fleet",
				),
			);
	}

	#publishWake(payload: string): void {
		this.#parts
			.connection()
			?.publish({ topic: this.#parts.topics.wakes, payload, qos: 1 })
			.catch(() => {}); // gone with the connection
	}

	#publishPartial(text: () => string): void {
		const connection = this.#parts.connection();
		if (!connection || this.#isPublishing) return;
		this.#isPublishing = true;
		const topic = this.#parts.topics.partials;
		connection
			.publish({ topic, payload: text(), qos: 0 })
			.catch(() => {}) // gone with the connection
			.finally(() => {
				this.#isPublishing = false;
			});
	}
}
