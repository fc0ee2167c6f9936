/** The endpoints that have a listener of their own, those that the configuration turns on. */
import { AudioSocketEndpoint } from "../api/audiosocket/audiosocket-endpoint.js";
import { languageRulesIn, languageRulesOf } from "../api/language-rules.js";
import type { ListenerStats } from "../api/listeners/listener-stats.js";
import type { EndpointMetrics } from "../api/metrics/endpoints.js";
import { VoskEndpoint } from "../api/vosk/vosk-endpoint.js";
import { WyomingEndpoint } from "../api/wyoming/wyoming-endpoint.js";
import type { Calls } from "../calls/calls.js";
import { ConfigError } from "../config/config-error.js";
import type { Config } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import type { Lane } from "../session/lane-port.js";
import { languageOptions } from "../session/wanted-language.js";
import type { Language } from "../text/languages.js";
import type { WordSource } from "../word-lists/references.js";

export interface ListenersParts {
	/** At the start. */
	readonly config: Config;
	/** After any reloads. */
	readonly inForce: () => Pick<Config, "endpoints" | "server">;
	readonly lane: Lane;
	readonly calls: Calls;
	/** Of the model in use; the array is updated in place when the model changes. */
	readonly languages: readonly Language[];
	readonly wordLists: WordSource;
	/** Name of the model in use. */
	readonly model: () => string;
	readonly version: string;
	readonly endpointMetrics: EndpointMetrics;
	readonly log: Logger;
}

interface Endpoint {
	readonly stats: ListenerStats;
	/** @returns the port. @throws ServerError */
	start(): Promise<number>;
	stop(milliseconds: number): Promise<void>;
}

export class Listeners {
	readonly #endpoints: readonly Endpoint[];
	readonly #ports = new Map<string, number>();

	constructor(endpoints: readonly Endpoint[]) {
		this.#endpoints = endpoints;
	}

	get stats(): readonly ListenerStats[] {
		return this.#endpoints.map((it) => it.stats);
	}

	/** @throws ServerError with a message of one sentence. */
	async start(): Promise<void> {
		for (const endpoint of this.#endpoints)
			this.#ports.set(endpoint.stats.endpoint, await endpoint.start());
	}

	/** @returns the port of an endpoint; undefined before the start, and where it is off. */
	portOf(endpoint: string): number | undefined {
		return this.#ports.get(endpoint);
	}

	async stop(seconds: number): Promise<void> {
		await Promise.all(this.#endpoints.map((it) => it.stop(seconds * 1000)));
	}
}

/** Starts nothing yet. @throws ConfigError */
export function openListeners(parts: ListenersParts): Listeners {
	const { wyoming, vosk, audiosocket } = parts.config;
	return new Listeners([
		...(wyoming.enabled
			? [named("wyoming", () => wyomingEndpoint(parts))]
			: []),
		...(vosk.enabled ? [named("vosk", () => voskEndpoint(parts))] : []),
		...(audiosocket.enabled
			? [named("audiosocket", () => audioSocketEndpoint(parts))]
			: []),
	]);
}

/** @throws Error */
function wyomingEndpoint(parts: ListenersParts): WyomingEndpoint {
	const { wyoming: config } = parts.config;
	checkLanguage(parts, config.language);
	return new WyomingEndpoint({
		...parts,
		config,
		languageRules: languageRulesIn(parts.inForce),
	});
}

/** @throws Error */
function voskEndpoint(parts: ListenersParts): VoskEndpoint {
	const { vosk: config } = parts.config;
	checkLanguage(parts, config.language);
	return new VoskEndpoint({
		...parts,
		config,
		corsOrigins: () => parts.inForce().server.cors_origins,
		languageRules: languageRulesIn(parts.inForce),
	});
}

/** @throws Error */
function audioSocketEndpoint(parts: ListenersParts): AudioSocketEndpoint {
	const { audiosocket: config, calls } = parts.config;
	const { languages, wordLists } = parts;
	checkLanguage(parts, config.language);
	return new AudioSocketEndpoint({
		...parts,
		config,
		partials: calls.partials,
		sources: {
			languages,
			wordLists,
			languageRules: languageRulesIn(parts.inForce),
			...(calls.callback_url !== "" && { callbackUrl: calls.callback_url }),
		},
	});
}

/** @throws Error where no model has the endpoint's language. */
function checkLanguage(
	{ config: { endpoints }, languages }: ListenersParts,
	language: string,
): void {
	const rules = languageRulesOf(endpoints);
	languageOptions(language, languages, rules, "language");
}

/** @throws ConfigError that names the section. */
function named<Made>(section: string, make: () => Made): Made {
	try {
		return make();
	} catch (error) {
		throw new ConfigError(`${section}: ${(error as Error).message}`);
	}
}
