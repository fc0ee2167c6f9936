/** The real fleet with a real store and a real broker, and a fake appliance. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import type {
	CallEvent,
	CallPlace,
	LegPlace,
} from "../../runtime/calls/call-events.js";
import { configSections } from "../../runtime/config/schema.js";
import { CodedError } from "../../runtime/errors.js";
import type {
	AppliancePort,
	MadeTask,
	ProgramUpdates,
} from "../../runtime/fleet/appliance-port.js";
import { Fleet } from "../../runtime/fleet/fleet.js";
import {
	type FleetConfig,
	fleetSettings,
} from "../../runtime/fleet/settings.js";
import type { SharingPort } from "../../runtime/fleet/sharing/sharing-port.js";
import { loggerTo } from "../../runtime/log/log.js";
import type { MicrophoneEvent } from "../../runtime/microphones/microphone-events.js";
import { Database } from "../../runtime/store/database.js";
import { FleetOutboxRepository } from "../../runtime/store/fleet-outbox.js";
import type {
	StoredResult,
	TaskView,
} from "../../runtime/tasks/task-service.js";
import { conditionOf, eventually } from "../fixtures/eventually.js";
import { checkNothingLeaked } from "../secrets/leaks.js";

const defaults = Object.fromEntries(
	Object.entries(configSections.fleet).map(([name, it]) => [name, it.default]),
) as FleetConfig;

export function fleetConfig(changes: Partial<FleetConfig>): FleetConfig {
	return { ...defaults, device: "kiosk-1", site: "hq", ...changes };
}

type ApplianceTask = TaskView & { readonly stored?: StoredResult };

/** An appliance with one microphone, `front`, whose speech the test decides. */
export class PlayedAppliance {
	readonly done: string[] = [];
	readonly tasks = new Map<string, ApplianceTask>();
	readonly requests = new Map<string, MadeTask & { content: string }>();
	/** Of files named in commands. */
	fetching: Promise<void> = Promise.resolve();
	updates: ProgramUpdates = { trial: null, refused: null };
	readonly #listeners = new Set<(event: MicrophoneEvent) => void>();
	readonly #callListeners = new Set<(event: CallEvent) => void>();
	#muted = false;
	#index = 0;

	readonly port: AppliancePort = {
		version: "1.2.3",
		updates: async () => this.updates,
		model: () => "whisper-base",
		languages: ["en-US"],
		microphones: {
			onEvent: (listener) => {
				this.#listeners.add(listener);
				return () => this.#listeners.delete(listener);
			},
			states: new Map(),
			mute: async (id, muted) => {
				if (id !== "front")
					throw new CodedError("200002", `there is no microphone "${id}"`);
				this.#muted = muted;
				this.done.push(`mute ${id} ${muted}`);
				this.emitState();
			},
			talk: (id, talking) => this.done.push(`talk ${id} ${talking}`),
			setHotwords: (id, words) => this.done.push(`hotwords ${id} ${words}`),
		},
		calls: {
			onEvent: (listener) => {
				this.#callListeners.add(listener);
				return () => this.#callListeners.delete(listener);
			},
		},
		health: () => [
			{
				name: "live engine",
				ok: false,
				says: "it starts again",
				code: "engine-dying",
				values: { seconds: 4 },
			},
		],
		lanes: () => [
			{
				lane: "live",
				busy: 1,
				slots: 8,
				queued: 0,
				refused: 0,
				deaths: 0,
				restarts: 0,
			},
		],
		files: () => ({
			tasks: { failed: 0, completed: 0, processing: 0, queued: 0 },
			audioSeconds: 0,
		}),
		task: (id) => this.tasks.get(id),
		result: (id) => this.tasks.get(id)?.stored,
		reload: () => {
			this.done.push("reload");
			return { changed: ["log.level"], needRestart: [] };
		},
		https: () => undefined,
		restartEngine: (lane) => this.done.push(`restart ${lane}`),
		pair: async (name, scopes) => {
			this.done.push(`pair ${name} ${scopes}`);
			const address = "https://kiosk-1:7143/console/";
			const link = `${address}#pair=ABCDEFGH`;
			return { address, code: "ABCD-EFGH", link, expiresSeconds: 1700000000 };
		},
		transcribe: async (options, { key, content }) => {
			this.done.push(`transcribe ${JSON.stringify(options)}`);
			await this.fetching;
			const taskId = `task-${this.requests.size}`;
			this.requests.set(key, { taskId, seconds: 3, content });
			return { taskId, seconds: 3 };
		},
		requested: (key) => this.requests.get(key),
	};

	emitText(
		text: string,
		microphone = "front",
		is: "final" | "partial" = "final",
	) {
		this.#emit({
			is,
			microphone,
			language: "en-US",
			atMs: Date.now(),
			utterance: {
				index: ++this.#index,
				text,
				confidence: 0.9,
				words: [],
				beginAtMs: Date.now() - 900,
				endAtMs: Date.now(),
			},
		});
	}

	call(phrase: string): void {
		this.#emit({
			is: "wake",
			microphone: "front",
			language: "zh-cmn-Hans-CN",
			atMs: Date.now(),
			wake: {
				phrase,
				confidence: 0.9,
				azimuthDeg: 12.5,
				beginAtMs: Date.now() - 900,
				endAtMs: Date.now(),
			},
		});
	}

	/** A leg of a call. */
	emitCallText(text: string, is: "final" | "partial" = "final"): void {
		const place: CallPlace & LegPlace = {
			call: "c-1",
			taskId: "ab".repeat(16),
			owner: "token:pbx",
			language: "ja-JP",
			beganAtMs: Date.now() - 5000,
			leg: "caller",
			speaker: 1,
		};
		const word = { text, startMs: 1200, endMs: 1900, confidence: 0.9 };
		const utterance = {
			index: 1,
			text,
			beginMs: 1000,
			endMs: 2000,
			confidence: 0.9,
			words: [{ ...word, kind: "normal" as const }],
		};
		for (const listener of this.#callListeners)
			listener({ ...place, is, utterance });
	}

	emitState(): void {
		const state = {
			phase: this.#muted ? ("muted" as const) : ("listening" as const),
			muted: this.#muted,
			xruns: 0,
			suspends: 0,
			lostSeconds: 0,
			warnings: [],
		};
		const { states } = this.port.microphones;
		(states as Map<string, typeof state>).set("front", state);
		this.#emit({
			is: "state",
			microphone: "front",
			language: "en-US",
			atMs: Date.now(),
			state,
		});
	}

	#emit(event: MicrophoneEvent): void {
		for (const listener of this.#listeners) listener(event);
	}
}

export class RunningFleet {
	readonly played = new PlayedAppliance();
	readonly log: { level: string; fields: object; message: string }[] = [];
	isDiskFull = false;
	readonly #lines: string[] = [];
	readonly #dir = mkdtempSync(join(tmpdir(), "earshot-fleet-"));
	#config: FleetConfig;
	readonly #sharing: SharingPort | undefined;
	#database: Database | undefined;
	#fleet: Fleet | undefined;

	static async start(
		changes: Partial<FleetConfig>,
		sharing?: SharingPort,
	): Promise<RunningFleet> {
		const running = new RunningFleet(fleetConfig(changes), sharing);
		await running.start();
		return running;
	}

	/** The same, removed with its folder when the test is over. */
	static async during(
		t: Pick<Test, "teardown">,
		...settings: Parameters<typeof RunningFleet.start>
	): Promise<RunningFleet> {
		const it = await RunningFleet.start(...settings);
		t.teardown(() => it.dispose());
		return it;
	}

	constructor(config: FleetConfig, sharing?: SharingPort) {
		this.#config = config;
		this.#sharing = sharing;
	}

	get fleet(): Fleet {
		if (!this.#fleet) throw new Error("it was stopped");
		return this.#fleet;
	}

	get rows(): FleetOutboxRepository {
		if (!this.#database) throw new Error("it was stopped");
		return new FleetOutboxRepository(this.#database);
	}

	/** @param changes of the configuration since the last start. */
	async start(changes: Partial<FleetConfig> = {}): Promise<void> {
		this.#config = { ...this.#config, ...changes };
		const settings = fleetSettings(this.#config);
		if (!settings) throw new Error("no broker");
		this.#database = Database.open(join(this.#dir, "store.mdb"), {
			freeBytes: () => (this.isDiskFull ? 0 : Number.MAX_SAFE_INTEGER),
		});
		this.#fleet = new Fleet({
			settings,
			config: () => this.#config,
			rows: new FleetOutboxRepository(this.#database),
			appliance: this.played.port,
			...(this.#sharing && { sharing: this.#sharing }),
			log: loggerTo({ write: (line) => this.#note(line) }, "debug"),
		});
		await this.#fleet.start();
	}

	async stop(): Promise<void> {
		await this.#fleet?.stop();
		await this.#database?.close();
		this.#fleet = undefined;
		this.#database = undefined;
	}

	/** Finishes a task as the queue does. */
	async finish(task: ApplianceTask): Promise<void> {
		this.played.tasks.set(task.id, task);
		await this.#database?.together([this.fleet.announcingTask(task.id)]);
		this.fleet.taskFinished(task.id);
	}

	async until(is: () => boolean): Promise<void> {
		await eventually(conditionOf(is), is, {
			seen: () => ({
				link: this.fleet.link,
				stats: this.fleet.stats,
				log: this.log.slice(-10),
			}),
		});
	}

	logged(pattern: RegExp): boolean {
		return this.log.some((it) => pattern.test(JSON.stringify(it)));
	}

	/** @throws Error if the log contains too much. */
	async dispose(): Promise<void> {
		await this.stop();
		rmSync(this.#dir, { recursive: true, force: true });
		checkNothingLeaked("the log", this.#lines);
	}

	#note(line: string): void {
		this.#lines.push(line);
		const { level, msg: message, ...fields } = JSON.parse(line);
		this.log.push({ level, fields, message });
	}
}
