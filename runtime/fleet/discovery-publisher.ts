/**
 * Keeps Home Assistant's discovery up to date: entities of the device are announced as retained messages, and outdated announcements (a microphone that was
 * removed, a command that is no longer allowed, or all of them where announcing was switched off) are removed.
 */
import type { LogPort } from "../log/log-port.js";
import type { BrokerConnection } from "./broker/connection.js";
import { ConnectionLost } from "./broker/connection-lost.js";
import type { IncomingMessage } from "./broker/messages.js";
import {
	type AboutDevice,
	type DiscoveryMessage,
	discoveryFilter,
	homeAssistantEntities,
	isDiscoveryOf,
} from "./home-assistant.js";
import type { CommandName } from "./payloads/commands.js";

export interface DiscoveryPublisherParts {
	readonly about: AboutDevice;
	/** The current values of all of these. */
	readonly isWanted: () => boolean;
	readonly microphones: () => readonly string[];
	readonly commands: () => readonly CommandName[];
	readonly log: LogPort;
}

export class DiscoveryPublisher {
	readonly #parts: DiscoveryPublisherParts;

	constructor(parts: DiscoveryPublisherParts) {
		this.#parts = parts;
	}

	/** @throws ConnectionLost */
	async use(connection: BrokerConnection): Promise<void> {
		const { about, log } = this.#parts;
		for (const entity of this.#entities())
			await connection.publish({ ...entity, qos: 1, retain: true });
		try {
			await connection.subscribe(discoveryFilter(about), "all");
		} catch (error) {
			if (error instanceof ConnectionLost) throw error;
			// the broker may restrict the topic; then old announcements stay
			log.info(
				{ err: error },
				"failed to subscribe to the Home Assistant topics",
			);
		}
	}

	owns(topic: string): boolean {
		return isDiscoveryOf(this.#parts.about, topic);
	}

	/** A retained announcement of this device: removed if outdated. */
	onMessage(connection: BrokerConnection, message: IncomingMessage): void {
		const { topic, payload, retained } = message;
		if (!retained || payload.length === 0) return;
		if (this.#entities().some((it) => it.topic === topic)) return;
		connection
			.publish({ topic, payload: "", qos: 1, retain: true })
			.catch((error: unknown) =>
				this.#parts.log.info(
					{ err: error },
					"failed to remove an old discovery message",
				),
			);
	}

	#entities(): readonly DiscoveryMessage[] {
		const { about, isWanted, microphones, commands } = this.#parts;
		if (!isWanted()) return [];
		return homeAssistantEntities(about, microphones(), commands());
	}
}
