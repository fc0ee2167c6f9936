/**
 * The composition root: every service built from the configuration (appliance/services.ts), started and stopped in order.
 *
 * Order of a start: engine (the slowest, so first), store, fleet, files, microphones, edge, other listeners. Order of a stop: edge and listeners (drain), calls,
 * microphones, files, fleet (their last messages are in its outbox), engines, store.
 */

import { languagesOfModels } from "./appliance/languages-of-models.js";
import { buildServices, type Services } from "./appliance/services.js";
import { openState, type State, type StateParts } from "./appliance/state.js";
import type { Clock } from "./clock/clock.js";
import type { Reload } from "./config/reload.js";
import type { Config } from "./config/schema.js";
import type { LogTail } from "./log/log-tail.js";
import type { Microphones } from "./microphones/microphones.js";
import { statusLine } from "./service/notices.js";
import type { Vital } from "./service/watchdog.js";
import type { PairingRepository } from "./store/pairings.js";
import type { IssuedToken } from "./store/tokens.js";
import type { Language } from "./text/languages.js";

/** Time for an idle engine to exit on its own. */
const engineStopMs = 1000;

/** Of the live engine, after `engine.queue_wait_seconds` at most. */
export type StartState = "ready" | "loading" | "stopped";

export interface ApplianceParts extends StateParts {
	/** Reads the configuration again, for a reload. @throws ConfigError */
	readonly readConfig: () => Config;
	readonly version: string;
	/** The last lines of `log`; absent: nobody can read them. */
	readonly logTail?: LogTail;
}

export class Appliance {
	readonly #state: State;
	readonly #services: Services;
	#ending: string | undefined;
	#port: number | undefined;

	/** Builds everything; nothing is started but the store. @throws with a message of one sentence: PackageError, StoreError, ServerError. */
	static async open(parts: ApplianceParts): Promise<Appliance> {
		const languages = [...(await languagesOfModels(parts.config.model))];
		const state = await openState(parts);
		try {
			return new Appliance(parts, state, languages);
		} catch (error) {
			await state.store.close();
			throw error;
		}
	}

	private constructor(
		parts: ApplianceParts,
		state: State,
		languages: Language[],
	) {
		this.#state = state;
		this.#services = buildServices({
			...parts,
			state,
			languages,
			port: () => this.#port,
		});
	}

	/** The microphones and the source of their events. */
	get microphones(): Microphones {
		return this.#services.microphones;
	}

	/** Starts the engine, resumes files, opens the edge. @returns the port. @throws ServerError, StoreError, CertificateError */
	async start(): Promise<number> {
		const { live, fleet, files, recordings, housekeeping, microphones } =
			this.#services;
		const { api, https, history, configReload } = this.#services;
		history.start();
		live.supervisor.start();
		await configReload.start();
		this.#state.clock.start();
		await fleet?.start();
		await files.start();
		recordings.start();
		housekeeping.start();
		microphones.start();
		this.#port = await api.start();
		await https?.start();
		const { listeners, discovery } = this.#services;
		await listeners.start();
		discovery.start(listeners.portOf("wyoming"));
		return this.#port;
	}

	/** No token exists yet, so no client could make a request. */
	get lacksTokens(): boolean {
		return this.#config.auth.required && this.#state.store.tokens.isEmpty();
	}

	/** A token for the person who starts the appliance for the first time. */
	async firstToken(): Promise<IssuedToken> {
		const { store, clock } = this.#state;
		return store.tokens.create({
			name: "first",
			scopes: ["asr", "hotwords", "files"],
			nowSeconds: clock.expirySeconds(),
			operatingSeconds: clock.operatingSeconds(),
			ttlSeconds: this.#config.auth.token_ttl_seconds,
		});
	}

	/** By which what is made for a while expires. */
	get clock(): Pick<Clock, "expirySeconds" | "operatingSeconds"> {
		return this.#state.clock;
	}

	/** Codes with which browsers sign in to the console. */
	get pairings(): PairingRepository {
		return this.#state.store.pairings;
	}

	/** Fingerprint of the certificate in use; undefined where HTTPS is off. */
	get certificateSha256(): string | undefined {
		return this.#services.https?.state?.certificateSha256;
	}

	/** See `ConfigReload`. @throws ConfigError: nothing has changed then. */
	reload(): Reload {
		return this.#services.configReload.reload();
	}

	/** Everything that must work for the watchdog to be fed. @param silenceMsMax how long any of it may not answer */
	vitals(silenceMsMax: number): readonly Vital[] {
		const { ping_seconds } = this.#config.engine;
		return this.#services.healthChecks.vitals(silenceMsMax, ping_seconds);
	}

	/** Currently in force. */
	get drainSeconds(): number {
		return this.#config.server.drain_seconds;
	}

	/** The state of the appliance in one line. */
	get status(): string {
		const { files, live } = this.#services;
		const { tasks } = files.stats;
		return statusLine({
			address: `port ${this.#port}`,
			live: live.lane.state,
			filesRunning: tasks.processing,
			filesWaiting: tasks.queued,
		});
	}

	/**
	 * Whether the engine has recognized its probe clip, after `engine.queue_wait_seconds` at most.
	 * @throws Error with the reason of its last failure.
	 */
	async startState(): Promise<StartState> {
		const { supervisor } = this.#services.live;
		const engine = await supervisor.engine().catch(() => undefined);
		if (engine) return "ready";
		const { phase, lastDeath } = supervisor.state;
		if (phase === "stopped") return "stopped";
		if (lastDeath !== undefined) throw new Error(lastDeath);
		return "loading";
	}

	/** Accepts nothing new, and lets work in progress finish within `server.drain_seconds`. */
	async stop(): Promise<void> {
		const { live, batch, listeners, api, fleet, https } = this.#services;
		const { history, discovery, calls, words, microphones } = this.#services;
		const { files, recordings, keywords, housekeeping } = this.#services;
		history.stop();
		const steps: readonly (readonly [string, () => unknown])[] = [
			["the search for a new certificate", () => https?.stop()],
			["discovery", () => discovery.stop()],
			[
				"requests in progress",
				() => Promise.all([api.stop(), listeners.stop(this.drainSeconds)]),
			],
			["calls", () => calls.stop()],
			["word lists", () => words.close()],
			["microphones", () => microphones.stop()],
			["files", () => files.stop()],
			["the fleet's messages", () => fleet?.stop()],
			["recordings", () => recordings.stop()],
			["keywords", () => keywords.close()],
			[
				"engines",
				() =>
					Promise.all([
						live.supervisor.stop(engineStopMs),
						batch.supervisor.stop(engineStopMs),
					]),
			],
			["housekeeping", () => housekeeping.stop()],
			["the clock", () => this.#state.clock.stop()],
			["the database", () => this.#state.store.close()],
		];
		for (const [what, end] of steps) {
			this.#ending = what;
			await end();
		}
	}

	/** What `stop` waits for; undefined before it. */
	get ending(): string | undefined {
		return this.#ending;
	}

	get #config(): Config {
		return this.#services.configReload.config;
	}
}
