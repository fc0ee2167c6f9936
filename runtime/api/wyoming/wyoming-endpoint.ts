/** The Wyoming endpoint: speech to text for Home Assistant and whoever else speaks that protocol, on a listener of its own (docs/wyoming.md). */
import type { Config } from "../../config/schema.js";
import type { Logger } from "../../log/log.js";
import type { Lane } from "../../session/lane-port.js";
import type { LanguageChoiceRules } from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import { Announcement } from "../listeners/announcement.js";
import { HeldMemory } from "../listeners/held-memory.js";
import type { ListenerStats } from "../listeners/listener-stats.js";
import type { Peer } from "../listeners/peer.js";
import { TcpListener } from "../listeners/tcp-listener.js";
import type { EndpointMetrics } from "../metrics/endpoints.js";
import { ownerOfNetwork } from "../network-of.js";
import { infoFrame } from "./info.js";
import type { ProtocolContext } from "./protocol-states.js";
import { WyomingSession } from "./wyoming-session.js";

export interface WyomingEndpointParts {
	readonly config: Config["wyoming"];
	readonly lane: Lane;
	/** Of the model in use; the array is updated in place when the model changes. */
	readonly languages: readonly Language[];
	/** Read for each turn: a reload may change them. */
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	/** Name of the model in use. */
	readonly model: () => string;
	readonly version: string;
	readonly endpointMetrics: EndpointMetrics;
	readonly log: Logger;
}

/** Frames that are not whole yet, of all connections. */
const heldBytesMax = 64 * 1024 * 1024;

export class WyomingEndpoint {
	readonly #parts: WyomingEndpointParts;
	readonly #memory = new HeldMemory(heldBytesMax);
	readonly #context: ProtocolContext;
	readonly #listener: TcpListener;
	readonly #announcement: Announcement;

	/** @throws Error that names an invalid entry of `wyoming.allow` */
	constructor(parts: WyomingEndpointParts) {
		const { config, languages, languageRules, wordLists } = parts;
		const { endpointing, language: defaultLanguage } = config;
		this.#parts = parts;
		this.#context = {
			languages,
			languageRules,
			defaultLanguage,
			wordLists,
			endpointing,
			info: () =>
				infoFrame({
					languages,
					endpointing,
					version: parts.version,
					model: parts.model(),
				}),
		};
		this.#announcement = new Announcement(
			parts.log.child({ endpoint: "wyoming" }),
		);
		this.#listener = new TcpListener(
			{ ...config, endpoint: "wyoming" },
			parts.log,
			(peer) => this.#open(peer),
		);
	}

	get stats(): ListenerStats {
		return this.#listener.stats;
	}

	/** @returns the port. @throws ServerError with a message of one sentence. */
	async start(): Promise<number> {
		const port = await this.#listener.start();
		const { announce, name, host } = this.#parts.config;
		if (announce)
			void this.#announcement.start({ type: "wyoming", name, host, port });
		return port;
	}

	/** Turns whose audio has come may be answered within this time. */
	async stop(milliseconds: number): Promise<void> {
		await Promise.all([
			this.#announcement.stop(),
			this.#listener.stop(milliseconds),
		]);
	}

	#open(peer: Peer): WyomingSession {
		const { lane, log, endpointMetrics } = this.#parts;
		return new WyomingSession(
			{
				lane,
				caller: ownerOfNetwork(peer.address),
				context: this.#context,
				memory: this.#memory,
				measure: () => endpointMetrics.begin("wyoming"),
				log: log.child({ endpoint: "wyoming" }),
			},
			peer,
		);
	}
}
