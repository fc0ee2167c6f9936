/**
 * The composition root: builds every part from the configuration, starts and stops them in order. The only file that knows all others.
 *
 * Order of a start: engine (the slowest, so first), store, files, edge. Order of a stop: edge (drains), files, engines, store.
 */
import { join } from "node:path";
import { openFfmpeg } from "../drivers/ffmpeg/decoder.js";
import { openEncoder } from "../drivers/ffmpeg/encoder.js";
import { openProbe } from "../drivers/ffmpeg/probe.js";
import { Api } from "./api/api.js";
import type { HealthCheck } from "./api/health.js";
import { AudioLinks } from "./api/recordings/audio-links.js";
import { Recordings } from "./api/recordings/recordings.js";
import { taskWords } from "./api/task-words.js";
import { localTimeText } from "./api/time-text.js";
import { ConfigError } from "./config/config-error.js";
import { planReload, type Reload } from "./config/reload.js";
import type { Config } from "./config/schema.js";
import { Capture } from "./ears/capture.js";
import {
	captureSettings,
	languageOf,
	placeOf,
	recognitionOptions,
	referredLists,
} from "./ears/from-config.js";
import { Microphone } from "./ears/microphone.js";
import { Microphones } from "./ears/microphones.js";
import { type ConfiguredLane, createLane } from "./engine/from-config.js";
import { engineHealth } from "./engine/health.js";
import { heartbeatTrouble } from "./engine/heartbeat.js";
import type { Logger } from "./log.js";
import { loadPackage } from "./models/package/model-package.js";
import type { Language } from "./models/recognizer.js";
import { Outbound } from "./outbound/outbound.js";
import { statusLine } from "./service/status.js";
import type { Vital } from "./service/watchdog.js";
import { ListHoldingLane } from "./session/list-holding-lane.js";
import { AudioShelf } from "./store/audio-shelf.js";
import { Canary } from "./store/canary.js";
import { type Housekeeping, startHousekeeping } from "./store/housekeeping.js";
import { openStore, type Store } from "./store/open-store.js";
import { FileService } from "./tasks/file-service.js";
import { ResultKeywords } from "./tasks/result-keywords.js";
import { ListUsage } from "./words/list-usage.js";

/** What an engine gets to end by itself, once nothing is under way. */
const engineStopMs = 1000;
const bytesPerMegabyte = 1024 * 1024;

export interface ApplianceParts {
	readonly config: Config;
	/** Reads the configuration anew, for a reload. @throws ConfigError */
	readonly readConfig: () => Config;
	readonly log: Logger;
	readonly version: string;
	/** A part is beyond mending in this process: it should end and be started again. */
	readonly onFatal: (error: Error) => void;
}

export class Appliance {
	readonly #readConfig: () => Config;
	readonly #log: Logger;
	/** In force. */
	#config: Config;
	readonly #outbound: Outbound;
	readonly #live: ConfiguredLane;
	/** Started when there is a file, stopped when there is none. */
	readonly #batch: ConfiguredLane;
	readonly #files: FileService;
	readonly #keywords = new ResultKeywords();
	readonly #recordings: Recordings;
	/** Standing sessions, and the one place their events come from. */
	readonly microphones: Microphones;
	readonly #store: Store;
	readonly #housekeeping: Housekeeping;
	readonly #api: Api;
	#port: number | undefined;

	/** Everything built and started but the edge. @throws in one sentence: PackageError, StoreError, ServerError. */
	static async open(parts: ApplianceParts): Promise<Appliance> {
		const { config, log, onFatal } = parts;
		const { model, state } = config;
		const { manifest } = await loadPackage(join(model.dir, model.name));
		const store = await openStore({
			dir: state.dir,
			as: "serve",
			onStuck: onFatal,
		});
		if (store.repaired) log.error(store.repaired, "the database was damaged");
		try {
			const shelf = await AudioShelf.open(join(state.dir, "audio"), {
				bytesMax: config.files.audio_megabytes_max * bytesPerMegabyte,
				reserveBytes: config.files.disk_reserve_megabytes * bytesPerMegabyte,
			});
			return new Appliance(
				parts,
				store,
				shelf,
				manifest.languages as readonly Language[],
			);
		} catch (error) {
			await store.close();
			throw error;
		}
	}

	private constructor(
		{ config, readConfig, log, version }: ApplianceParts,
		store: Store,
		shelf: AudioShelf,
		languages: readonly Language[],
	) {
		const live = createLane("live", config, log);
		const usage = new ListUsage();
		const batch = createLane("batch", config, log);
		this.#config = config;
		this.#readConfig = readConfig;
		this.#log = log;
		this.#live = live;
		this.#batch = batch;
		this.#store = store;
		const outbound = openOutbound(config, () => this.#port);
		this.#outbound = outbound;
		this.#recordings = new Recordings({
			rows: store.recordings,
			shelf,
			encoder: openEncoder(),
			links: AudioLinks.open(config.state.dir),
			log,
		});
		this.#files = new FileService({
			config,
			database: store.database,
			shelf,
			othersAudio: () => this.#recordings.audioIds(),
			lane: batch.lane,
			words: taskWords(() => this.#api.words),
			keywords: this.#keywords,
			outbound,
			nowSeconds: () => Date.now() / 1000,
			timeText: localTimeText,
			log,
		});
		this.#api = new Api({
			config,
			store,
			usage,
			files: {
				desk: this.#files.desk,
				shelf,
				outbound,
				probe: openProbe({ decoder: openFfmpeg() }),
			},
			recordings: this.#recordings,
			lane: live.lane,
			languages,
			health: { health: () => this.health() },
			lanes: () => [live.lane.state, batch.lane.state],
			tasks: () => this.#files.figures,
			log,
			version,
		});
		const lane = new ListHoldingLane(live.lane, usage);
		this.microphones = new Microphones((onEvent) =>
			config.microphone.map((it) => {
				const capture = captureSettings(it);
				const language = languageOf(it, languages);
				return new Microphone({
					place: placeOf(it, language),
					pushToTalk: it.push_to_talk,
					muted: it.muted,
					lane,
					options: (hotwords) => ({
						...recognitionOptions(it, language),
						...this.#api.words.resolve(
							{
								...referredLists(it),
								...(hotwords && { hotwords_list: hotwords }),
							},
							language,
						),
					}),
					source: (listener) => new Capture(capture, listener, log),
					onEvent,
					log,
					nowMs: () => Date.now(),
				});
			}),
		);
		this.#housekeeping = startHousekeeping(store, config.state.dir, (error) =>
			log.error({ err: error }, "housekeeping failed, tried again in an hour"),
		);
	}

	/** Starts the engine, goes on with files, opens the edge. @returns the port. @throws ServerError, StoreError */
	async start(): Promise<number> {
		this.#live.supervisor.start();
		await this.#files.start();
		this.#recordings.start();
		this.microphones.start();
		this.#port = await this.#api.start();
		return this.#port;
	}

	/** Nobody could ask it for anything yet. */
	get lacksTokens(): boolean {
		return this.#config.auth.required && this.#store.tokens.isEmpty();
	}

	/** A token for the person who starts the appliance for the first time. */
	async firstToken(): Promise<string> {
		const { token } = await this.#store.tokens.create({
			name: "first",
			scopes: ["asr", "hotwords", "files"],
			nowSeconds: Date.now() / 1000,
			ttlSeconds: this.#config.auth.token_ttl_seconds,
		});
		return token;
	}

	health(): readonly HealthCheck[] {
		const engine = engineHealth(this.#live.lane.state);
		const batch = engineHealth(this.#batch.lane.state);
		const { stuck } = this.#store.database;
		return [
			{ name: "live engine", ok: engine.ok, says: engine.says },
			{ name: "batch engine", ok: batch.ok, says: batch.says },
			{
				name: "database",
				ok: stuck === undefined,
				says: stuck?.message ?? "writes reach the disk",
			},
		];
	}

	/** Takes over of a configuration read anew what needs no restart, and logs what does. @throws ConfigError: nothing has changed then. */
	reload(): Reload {
		const plan = planReload(this.#config, this.#readConfig());
		const { values, changed, needRestart } = plan;
		openOnly(this.#outbound, values);
		this.#api.reconfigure(values);
		this.#log.level = values.log.level;
		this.#config = values;
		this.#log.info({ changed }, "configuration is reloaded");
		if (needRestart.length > 0)
			this.#log.warn({ needRestart }, "changed, and waits for a restart");
		return plan;
	}

	/** What must be good for a watchdog to be told that all is. @param silenceMsMax how long any of it may not answer */
	vitals(silenceMsMax: number): readonly Vital[] {
		const canary = new Canary(this.#store.database, silenceMsMax);
		const { ping_seconds } = this.#config.engine;
		const engineMsMax = Math.max(silenceMsMax, 2 * 1000 * ping_seconds);
		return [
			{ name: "database", check: () => canary.check() },
			...[this.#live, this.#batch].map(({ lane }) => ({
				name: `${lane.state.lane} engine`,
				check: () => heartbeatTrouble(lane.state, engineMsMax),
			})),
		];
	}

	/** In force now. */
	get drainSeconds(): number {
		return this.#config.server.drain_seconds;
	}

	/** What is going on, in a line. */
	get status(): string {
		const { tasks } = this.#files.figures;
		return statusLine({
			address: `port ${this.#port}`,
			live: this.#live.lane.state,
			filesRunning: tasks[2],
			filesWaiting: tasks[3],
		});
	}

	/** Resolves when the engine heard its probe clip right. @throws Error that says why the last one did not. */
	async untilReady(): Promise<void> {
		const { supervisor } = this.#live;
		await supervisor.engine().catch((error: unknown) => {
			const reason = supervisor.state.lastDeath;
			throw reason === undefined ? error : new Error(reason);
		});
	}

	/** Takes nothing new, lets what is under way finish within `server.drain_seconds`. */
	async stop(): Promise<void> {
		await this.#api.stop();
		await this.microphones.stop();
		await this.#files.stop();
		await this.#recordings.stop();
		await this.#keywords.close();
		await Promise.all([
			this.#live.supervisor.stop(engineStopMs),
			this.#batch.supervisor.stop(engineStopMs),
		]);
		await this.#housekeeping.stop();
		await this.#store.close();
	}
}

/** @throws ConfigError that names an entry which is none. */
function openOutbound(
	config: Config,
	ownPort: () => number | undefined,
): Outbound {
	const outbound = new Outbound({ allow: [], ownPort });
	openOnly(outbound, config);
	return outbound;
}

/** @throws ConfigError that names an entry which is none. */
function openOnly(outbound: Outbound, config: Config): void {
	try {
		outbound.allow(config.outbound.allow);
	} catch (error) {
		throw new ConfigError((error as Error).message);
	}
}
