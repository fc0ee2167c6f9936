/** What microphones hear goes out: finals through the outbox, in the order of each microphone; partials at once or not at all. */

import type { EngineLog } from "../engine/log-port.js";
import type { MicrophoneEvent } from "../microphones/microphone-events.js";
import type { BrokerConnection } from "./broker/connection.js";
import type { HouseMicrophones } from "./house-port.js";
import type { Outbox } from "./outbox/outbox.js";
import { heardMessage } from "./payloads/events.js";
import type { Topics } from "./topics.js";

export interface HeardExitParts {
	readonly microphones: HouseMicrophones;
	readonly outbox: Outbox;
	readonly topics: Topics;
	/** `fleet.partials`, in force now. */
	readonly tellsPartials: () => boolean;
	readonly connection: () => BrokerConnection | undefined;
	readonly log: EngineLog;
}

export class HeardExit {
	readonly #parts: HeardExitParts;
	#stopListening: () => void = () => {};
	/** A partial that is late is worth nothing: the next one comes. */
	#isTelling = false;

	constructor(parts: HeardExitParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#stopListening = this.#parts.microphones.onEvent((event) =>
			this.#hear(event),
		);
	}

	stop(): void {
		this.#stopListening();
	}

	#hear(event: MicrophoneEvent): void {
		if (event.is !== "final" && event.is !== "partial") return;
		if (event.utterance.text === "") return;
		const text = () => JSON.stringify(heardMessage(event));
		if (event.is === "final") this.#keep(event.microphone, text());
		else if (this.#parts.tellsPartials()) this.#tell(text);
	}

	#keep(microphone: string, text: string): void {
		const { outbox, topics, log } = this.#parts;
		outbox
			.add(`final ${microphone}`, topics.finals, text)
			.catch((error: unknown) =>
				log.error(
					{ err: error, microphone },
					"a sentence is lost to the fleet",
				),
			);
	}

	#tell(text: () => string): void {
		const connection = this.#parts.connection();
		if (!connection || this.#isTelling) return;
		this.#isTelling = true;
		const topic = this.#parts.topics.partials;
		connection
			.publish({ topic, payload: text(), qos: 0 })
			.catch(() => {}) // gone with the connection
			.finally(() => {
				this.#isTelling = false;
			});
	}
}
