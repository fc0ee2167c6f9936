/**
 * Home Assistant knows of us what is true now: what it may do with the device is announced and retained, and what was announced once and is no more (a
 * microphone that is gone, a command that is not allowed any longer, all of it where the announcing was switched off) is taken back.
 */
import type { EngineLog } from "../engine/log-port.js";
import type { BrokerConnection, IncomingMessage } from "./broker/connection.js";
import { ConnectionLost } from "./broker/connection-lost.js";
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
	/** All of this as it is in force now. */
	readonly isWanted: () => boolean;
	readonly microphones: () => readonly string[];
	readonly commands: () => readonly CommandName[];
	readonly log: EngineLog;
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
			// a broker with rules of its own; only old announcements stay
			log.info(
				{ err: error },
				"failed to subscribe to the Home Assistant topics",
			);
		}
	}

	owns(topic: string): boolean {
		return isDiscoveryOf(this.#parts.about, topic);
	}

	/** What somebody retained in our name: we ourselves, once. */
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
