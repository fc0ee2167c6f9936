/** Asterisk's AudioSocket, on a listener of its own (docs/calls.md). */
import type { Calls } from "../../calls/calls.js";
import type { Config } from "../../config/schema.js";
import type { Logger } from "../../log/log.js";
import type { CallOptionSources } from "../calls/call-options.js";
import type { ListenerStats } from "../listeners/listener-stats.js";
import { TcpListener } from "../listeners/tcp-listener.js";
import type { EndpointMetrics } from "../metrics/endpoints.js";
import { ownerOfNetwork } from "../network-of.js";
import { AudioSocketSession } from "./audiosocket-session.js";

export interface AudioSocketEndpointParts {
	readonly config: Config["audiosocket"];
	readonly calls: Pick<Calls, "join">;
	readonly sources: CallOptionSources;
	/** `calls.partials` */
	readonly partials: boolean;
	readonly endpointMetrics: EndpointMetrics;
	readonly log: Logger;
}

export class AudioSocketEndpoint {
	readonly #listener: TcpListener;

	/** @throws Error that names an invalid entry of `audiosocket.allow` */
	constructor(parts: AudioSocketEndpointParts) {
		const { config, calls, sources, partials, endpointMetrics } = parts;
		const log = parts.log.child({ endpoint: "audiosocket" });
		this.#listener = new TcpListener(
			{ ...config, endpoint: "audiosocket" },
			parts.log,
			(peer) =>
				new AudioSocketSession(
					{
						calls,
						sources,
						partials,
						log,
						language: config.language,
						caller: ownerOfNetwork(peer.address),
						measured: endpointMetrics.begin("audiosocket"),
					},
					peer,
				),
		);
	}

	get stats(): ListenerStats {
		return this.#listener.stats;
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	start(): Promise<number> {
		return this.#listener.start();
	}

	/** What was said before is recognized within this time. */
	stop(milliseconds: number): Promise<void> {
		return this.#listener.stop(milliseconds);
	}
}
