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
import type { Config } from "./config/schema.js";
import { type ConfiguredLane, createLane } from "./engine/from-config.js";
import { engineHealth } from "./engine/health.js";
import type { Logger } from "./log.js";
import { loadPackage } from "./models/package/model-package.js";
import type { Language } from "./models/recognizer.js";
import { Outbound } from "./outbound/outbound.js";
import { AudioShelf } from "./store/audio-shelf.js";
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
	readonly log: Logger;
	readonly version: string;
	/** A part is beyond mending in this process: it should end and be started again. */
	readonly onFatal: (error: Error) => void;
}

export class Appliance {
	readonly #config: Config;
	readonly #live: ConfiguredLane;
	/** Started when there is a file, stopped when there is none. */
	readonly #batch: ConfiguredLane;
	readonly #files: FileService;
	readonly #keywords = new ResultKeywords();
	readonly #recordings: Recordings;
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
		{ config, log, version }: ApplianceParts,
		store: Store,
		shelf: AudioShelf,
		languages: readonly Language[],
	) {
		const live = createLane("live", config, log);
		const batch = createLane("batch", config, log);
		this.#config = config;
		this.#live = live;
		this.#batch = batch;
		this.#store = store;
		const outbound = openOutbound(config, () => this.#port);
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
			usage: new ListUsage(),
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
		this.#housekeeping = startHousekeeping(store, config.state.dir, (error) =>
			log.error({ err: error }, "housekeeping failed, tried again in an hour"),
		);
	}

	/** Starts the engine, goes on with files, opens the edge. @returns the port. @throws ServerError, StoreError */
	async start(): Promise<number> {
		this.#live.supervisor.start();
		await this.#files.start();
		this.#recordings.start();
		this.#port = await this.#api.start();
		return this.#port;
	}

	/** A token for the person who starts the appliance for the first time; undefined when tokens were made before. */
	async firstToken(): Promise<string | undefined> {
		const { tokens } = this.#store;
		if (!this.#config.auth.required || !tokens.isEmpty()) return undefined;
		const { token } = await tokens.create({
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
	{ outbound }: Config,
	ownPort: () => number | undefined,
): Outbound {
	try {
		return new Outbound({ allow: outbound.allow, ownPort });
	} catch (error) {
		throw new ConfigError((error as Error).message);
	}
}
