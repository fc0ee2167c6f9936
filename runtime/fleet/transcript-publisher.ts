/** Publishes recognized speech of microphones: finals through the outbox, in the order of each microphone; wake words and partials at once or not at all. */

import type { EngineLog } from "../engine/log-port.js";
import type { MicrophoneEvent } from "../microphones/microphone-events.js";
import type { MicrophoneControl } from "./appliance-port.js";
import type { BrokerConnection } from "./broker/connection.js";
import type { FleetOutbox } from "./outbox/outbox.js";
import { utteranceMessage, wakeMessage } from "./payloads/events.js";
import type { Topics } from "./topics.js";

export interface TranscriptPublisherParts {
	readonly microphones: MicrophoneControl;
	readonly outbox: FleetOutbox;
	readonly topics: Topics;
	/** `fleet.partials`, in force now. */
	readonly publishesPartials: () => boolean;
	readonly connection: () => BrokerConnection | undefined;
	readonly log: EngineLog;
}

export class TranscriptPublisher {
	readonly #parts: TranscriptPublisherParts;
	#unsubscribe: () => void = () => {};
	/** A late partial is worthless: the next one follows. */
	#isPublishing = false;

	constructor(parts: TranscriptPublisherParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#unsubscribe = this.#parts.microphones.onEvent((event) =>
			this.#onEvent(event),
		);
	}

	stop(): void {
		this.#unsubscribe();
	}

	#onEvent(event: MicrophoneEvent): void {
		if (event.is === "wake")
			this.#publishWake(JSON.stringify(wakeMessage(event)));
		if (event.is !== "final" && event.is !== "partial") return;
		if (event.utterance.text === "") return;
		const text = () => JSON.stringify(utteranceMessage(event));
		if (event.is === "final") this.#storeFinal(event.microphone, text());
		else if (this.#parts.publishesPartials()) this.#publishPartial(text);
	}

	#storeFinal(microphone: string, text: string): void {
		const { outbox, topics, log } = this.#parts;
		outbox
			.add(`final ${microphone}`, topics.finals, text)
			.catch((error: unknown) =>
				log.error(
					{ err: error, microphone },
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
