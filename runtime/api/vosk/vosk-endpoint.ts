/** The Vosk endpoint: a WebSocket as of vosk-server, on a listener of its own (docs/vosk.md). */
import type { Config } from "../../config/schema.js";
import type { Logger } from "../../log/log.js";
import type { Lane } from "../../session/lane-port.js";
import {
	type LanguageChoiceRules,
	languageOptions,
} from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import { HeldMemory } from "../listeners/held-memory.js";
import type { ListenerStats } from "../listeners/listener-stats.js";
import type { Peer } from "../listeners/peer.js";
import { TcpListener } from "../listeners/tcp-listener.js";
import {
	type Handshake,
	HandshakeError,
} from "../listeners/web-socket-handshake.js";
import { WebSocketPeer } from "../listeners/web-socket-peer.js";
import type { EndpointMetrics } from "../metrics/endpoints.js";
import { ownerOfNetwork } from "../network-of.js";
import { mayComeFrom } from "../origin.js";
import { VoskSession } from "./vosk-session.js";

export interface VoskEndpointParts {
	readonly config: Config["vosk"];
	readonly lane: Lane;
	/** Of the model in use; the array is updated in place when the model changes. */
	readonly languages: readonly Language[];
	/** Read for each recognition: a reload may change them. */
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	/** Pages that may connect (`server.cors_origins`). */
	readonly corsOrigins: () => readonly string[];
	readonly endpointMetrics: EndpointMetrics;
	readonly log: Logger;
}

/** Messages that are not whole yet, of all connections. */
const heldBytesMax = 64 * 1024 * 1024;

export class VoskEndpoint {
	readonly #parts: VoskEndpointParts;
	readonly #memory = new HeldMemory(heldBytesMax);
	readonly #log: Logger;
	readonly #listener: TcpListener;

	/** @throws Error that names an invalid entry of `vosk.allow` */
	constructor(parts: VoskEndpointParts) {
		this.#parts = parts;
		this.#log = parts.log.child({ endpoint: "vosk" });
		this.#listener = new TcpListener(
			{ ...parts.config, endpoint: "vosk" },
			parts.log,
			(peer) => this.#accept(peer),
		);
	}

	get stats(): ListenerStats {
		return this.#listener.stats;
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	start(): Promise<number> {
		return this.#listener.start();
	}

	/** Answers that are owed may be sent within this time. */
	stop(milliseconds: number): Promise<void> {
		return this.#listener.stop(milliseconds);
	}

	#accept(peer: Peer): WebSocketPeer {
		const { lane, config, languages, languageRules } = this.#parts;
		const { wordLists, endpointMetrics } = this.#parts;
		return new WebSocketPeer(
			{
				admit: (handshake) => this.#admit(handshake),
				open: (socket) =>
					new VoskSession(
						{
							lane,
							caller: ownerOfNetwork(peer.address),
							context: {
								wordLists,
								language: () =>
									languageOptions(config.language, languages, languageRules()),
							},
							measure: () => endpointMetrics.begin("vosk"),
							log: this.#log,
						},
						socket,
					),
				memory: this.#memory,
				log: this.#log,
			},
			peer,
		);
	}

	/** Any page that a browser on this network shows could connect otherwise. @throws HandshakeError */
	#admit(handshake: Handshake): void {
		const { header } = handshake;
		const request = { header, host: header("host") };
		if (!mayComeFrom(request, this.#parts.corsOrigins()))
			throw new HandshakeError(
				403,
				"pages of this origin may not connect (server.cors_origins)",
			);
	}
}
