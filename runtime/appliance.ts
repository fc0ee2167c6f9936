/**
 * The composition root: builds every part from the configuration, starts and stops them in order. The only file that knows all others.
 *
 * Order of a start: engine (the slowest, so first), store, fleet, files, microphones, edge. Order of a stop: edge (drains), microphones, files, fleet (what
 * they told last is in its outbox), engines, store.
 */
import { join } from "node:path";
import { openFfmpeg } from "../drivers/ffmpeg/decoder.js";
import { openEncoder } from "../drivers/ffmpeg/encoder.js";
import { openProbe } from "../drivers/ffmpeg/probe.js";
import { Api } from "./api/api.js";
import type { HealthCheck } from "./api/health.js";
import { taskWords } from "./api/task-words.js";
import { openClock } from "./appliance/clock.js";
import { openFleet } from "./appliance/fleet.js";
import { sharingHouse } from "./appliance/sharing.js";
import { standingMicrophones } from "./appliance/standing-microphones.js";
import { openOnly, openOutbound } from "./appliance/way-out.js";
import { healthOf, vitalsOf } from "./appliance/wellbeing.js";
import type { ApplianceClock } from "./clock/appliance-clock.js";
import { localTimeText } from "./clock/time-text.js";
import { planReload, type Reload } from "./config/reload.js";
import type { Config } from "./config/schema.js";
import { bytesPerMegabyte } from "./config/sections/files.js";
import type { Microphones } from "./ears/microphones.js";
import { type ConfiguredLane, createLane } from "./engine/from-config.js";
import { ModelSwitch } from "./engine/use-model.js";
import type { Fleet } from "./fleet/fleet.js";
import type { Logger } from "./log.js";
import { loadPackage } from "./models/package/model-package.js";
import type { Language } from "./models/recognizer.js";
import type { Outbound } from "./outbound/outbound.js";
import { AudioLinks } from "./recordings/audio-links.js";
import { Recordings } from "./recordings/recordings.js";
import { statusLine } from "./service/status.js";
import type { Vital } from "./service/watchdog.js";
import { ListHoldingLane } from "./session/list-holding-lane.js";
import { AudioShelf } from "./store/audio-shelf.js";
import type { Write } from "./store/database.js";
import { Housekeeping } from "./store/housekeeping.js";
import { openStore, type Store } from "./store/open-store.js";
import type { StoreProgress } from "./store/progress.js";
import { lastWrittenSeconds } from "./store/state-files.js";
import { FileService } from "./tasks/file-service.js";
import { ResultKeywords } from "./tasks/result-keywords.js";
import { ListUsage } from "./words/list-usage.js";

/** What an engine gets to end by itself, once nothing is under way. */
const engineStopMs = 1000;

export interface ApplianceParts {
	readonly config: Config;
	/** Reads the configuration anew, for a reload. @throws ConfigError */
	readonly readConfig: () => Config;
	readonly log: Logger;
	readonly version: string;
	/** The store is checked, or restored: how far that is. */
	readonly onProgress?: (progress: StoreProgress) => void;
	/** A part is beyond mending in this process: it should end and be started again. */
	readonly onFatal: (error: Error) => void;
}

export class Appliance {
	readonly #readConfig: () => Config;
	readonly #log: Logger;
	/** In force. */
	#config: Config;
	/** Of the model in use; whoever was given the list sees it change with the model. */
	readonly #languages: Language[];
	readonly #model: ModelSwitch;
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
	readonly #clock: ApplianceClock;
	readonly #housekeeping: Housekeeping;
	/** Undefined where no broker is named. */
	readonly #fleet: Fleet | undefined;
	/** Who wants to know which files wait. */
	#onWaiting: (ids: readonly string[]) => void = () => {};
	readonly #api: Api;
	#port: number | undefined;

	/** Everything built and started but the edge. @throws in one sentence: PackageError, StoreError, ServerError. */
	static async open(parts: ApplianceParts): Promise<Appliance> {
		const { config, log, onFatal, onProgress } = parts;
		const { model, state } = config;
		const { manifest } = await loadPackage(join(model.dir, model.name));
		const writtenBefore = lastWrittenSeconds(state.dir);
		const store = await openStore({
			dir: state.dir,
			as: "serve",
			onStuck: onFatal,
			lists: {
				listsPerOwnerMax: config.limits.lists_per_owner_max,
				bytesMax: config.limits.lists_megabytes_max * bytesPerMegabyte,
				reserveBytes: config.files.disk_reserve_megabytes * bytesPerMegabyte,
			},
			...(onProgress && { onProgress }),
		});
		if (store.repaired) log.error(store.repaired, "the database was damaged");
		tellOwnerKinds(store, log);
		try {
			const shelf = await AudioShelf.open(join(state.dir, "audio"), {
				bytesMax: config.files.audio_megabytes_max * bytesPerMegabyte,
				reserveBytes: config.files.disk_reserve_megabytes * bytesPerMegabyte,
			});
			const clock = await openClock(store, writtenBefore, log);
			return new Appliance(parts, store, clock, shelf, [
				...(manifest.languages as readonly Language[]),
			]);
		} catch (error) {
			await store.close();
			throw error;
		}
	}

	private constructor(
		{ config, readConfig, log, version }: ApplianceParts,
		store: Store,
		clock: ApplianceClock,
		shelf: AudioShelf,
		languages: Language[],
	) {
		const live = createLane("live", config, log);
		const usage = new ListUsage();
		const batch = createLane("batch", config, log);
		this.#config = config;
		this.#readConfig = readConfig;
		this.#log = log;
		this.#languages = languages;
		this.#model = new ModelSwitch({ live, batch, log }, config.model.name);
		this.#live = live;
		this.#batch = batch;
		this.#store = store;
		this.#clock = clock;
		const outbound = openOutbound(config, () => this.#port);
		this.#outbound = outbound;
		const links = AudioLinks.open(config.state.dir);
		this.#recordings = new Recordings({
			rows: store.recordings,
			shelf,
			encoder: openEncoder(),
			links,
			clock,
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
			clock,
			timeText: localTimeText,
			...(config.fleet.url !== "" && {
				announcing: (id: string) => this.#announcing(id),
				onFinished: (id: string) => this.#fleet?.taskFinished(id),
				onWaiting: (ids: readonly string[]) => this.#onWaiting(ids),
			}),
			log,
		});
		this.#api = new Api({
			config,
			store,
			usage,
			bodyShelf: shelf,
			files: {
				desk: this.#files.desk,
				shelf,
				outbound,
				probe: openProbe({ decoder: openFfmpeg() }),
				...(config.fleet.url !== "" && config.fleet.share && { links }),
			},
			recordings: this.#recordings,
			lane: live.lane,
			languages,
			health: { health: () => this.health() },
			lanes: () => [live.lane.state, batch.lane.state],
			tasks: () => this.#files.figures,
			clock,
			backup: () => this.#housekeeping.backup,
			microphones: () => this.microphones.figures,
			fleet: () => (this.#fleet ? [this.#fleet.series] : []),
			log,
			version,
		});
		this.microphones = standingMicrophones({
			config,
			languages,
			lane: new ListHoldingLane(live.lane, usage),
			words: () => this.#api.words,
			log,
		});
		this.#fleet = openFleet({
			config: () => this.#config,
			version,
			languages,
			database: store.database,
			live,
			batch,
			microphones: this.microphones,
			files: this.#files,
			api: this.#api,
			health: () => this.health(),
			reload: () => this.reload(),
			sharing: () =>
				sharingHouse({
					config,
					languages,
					batch,
					files: this.#files,
					onWaiting: (listener) => {
						this.#onWaiting = listener;
					},
					shelf,
					links,
					clock,
					outbound,
					port: () => this.#port,
				}),
			log,
		});
		this.#housekeeping = new Housekeeping({
			store,
			clock,
			dir: config.state.dir,
			reserveBytes: config.files.disk_reserve_megabytes * bytesPerMegabyte,
			onSkipped: ({ trouble, message }) =>
				log[trouble === "full" ? "warn" : "error"](
					{ why: message },
					"no backup is made, tried again in an hour",
				),
			onError: (error) =>
				log.error(
					{ err: error },
					"housekeeping failed, tried again in an hour",
				),
		});
	}

	/** Starts the engine, goes on with files, opens the edge. @returns the port. @throws ServerError, StoreError */
	async start(): Promise<number> {
		this.#live.supervisor.start();
		this.#clock.start();
		await this.#fleet?.start();
		await this.#files.start();
		this.#recordings.start();
		this.#housekeeping.start();
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
			nowSeconds: this.#clock.expirySeconds(),
			operatingSeconds: this.#clock.operatingSeconds(),
			ttlSeconds: this.#config.auth.token_ttl_seconds,
		});
		return token;
	}

	health(): readonly HealthCheck[] {
		return healthOf(this.#vitalParts);
	}

	/** Takes over of a configuration read anew what needs no restart, and logs what does. @throws ConfigError: nothing has changed then. */
	reload(): Reload {
		const plan = planReload(this.#config, this.#readConfig());
		const { values, changed, needRestart } = plan;
		openOnly(this.#outbound, values);
		this.#api.reconfigure(values);
		this.#log.level = values.log.level;
		this.#config = values;
		if (changed.includes("model.name")) void this.#useModel(values);
		this.#log.info({ changed }, "configuration is reloaded");
		if (needRestart.length > 0)
			this.#log.warn({ needRestart }, "changed, and waits for a restart");
		return plan;
	}

	async #useModel(values: Config): Promise<void> {
		const { model, languages } = await this.#model.use(values);
		if (languages)
			this.#languages.splice(0, this.#languages.length, ...languages);
		// one that failed is not in force: whoever asks again means it
		if (this.#config.model.name === values.model.name)
			this.#config = {
				...this.#config,
				model: { ...this.#config.model, name: model },
			};
	}

	/** What must be good for a watchdog to be told that all is. @param silenceMsMax how long any of it may not answer */
	vitals(silenceMsMax: number): readonly Vital[] {
		const { ping_seconds } = this.#config.engine;
		return vitalsOf(this.#vitalParts, silenceMsMax, ping_seconds);
	}

	#announcing(id: string): Write {
		if (!this.#fleet) throw new Error("a task ended before there was a fleet");
		return this.#fleet.announcingTask(id);
	}

	get #vitalParts() {
		const { database } = this.#store;
		const { backup } = this.#housekeeping;
		const { trust: clock } = this.#clock;
		return { live: this.#live, batch: this.#batch, database, clock, backup };
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
		await this.#fleet?.stop();
		await this.#recordings.stop();
		await this.#keywords.close();
		await Promise.all([
			this.#live.supervisor.stop(engineStopMs),
			this.#batch.supervisor.stop(engineStopMs),
		]);
		await this.#housekeeping.stop();
		await this.#clock.stop();
		await this.#store.close();
	}
}

/** Once after an update: docs/files.md says what becomes of whose. */
function tellOwnerKinds({ ownerKindsAdded: added }: Store, log: Logger): void {
	if (!added || added.rows === 0) return;
	log.info({ rows: added.rows }, "owners of an older version have kinds now");
	if (added.unclear > 0)
		log.warn(
			{ rows: added.unclear },
			"names that a token and an application shared: what was made by either is seen by admin tokens only",
		);
}
