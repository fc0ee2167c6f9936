/**
 * File transcription as a whole: tasks, callbacks, the sweeper, and the removal requests of the command line. Started after the store and the engine, and
 * stopped before them.
 */
import { dirname } from "node:path";
import type { ContainerDecoder } from "../audio/decoder-port.js";
import type { Config } from "../config/schema.js";
import { bytesPerMegabyte } from "../config/sections/files.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { Database, Write } from "../store/database.js";
import { requireReserve } from "../store/disk-quota.js";
import type { TaskRow, TaskState } from "../store/tasks.js";
import type { CallbackTransport } from "./callback-transport.js";
import { Callbacks } from "./callbacks.js";
import { LiveTasks } from "./live-tasks.js";
import { RequestedRemovals } from "./requested-removals.js";
import type { RunParts } from "./run-parts.js";
import { Sweeper } from "./sweeper.js";
import { TaskCuts } from "./task-cuts.js";
import { TaskPeaks } from "./task-peaks.js";
import type { TaskService } from "./task-service.js";
import { openTaskStore, type TaskStore } from "./task-store.js";
import { Tasks } from "./tasks.js";

export interface FileServiceParts
	extends Omit<RunParts, "store" | "audio" | "announcing"> {
	readonly config: Pick<Config, "engine" | "files" | "tasks" | "callback">;
	readonly database: Database;
	readonly shelf: AudioShelf;
	/** Audio on the shelf that belongs to no task. */
	readonly othersAudio: () => AsyncIterable<string>;
	readonly outbound: CallbackTransport;
}

/** Announces finished tasks to others. */
export interface TaskAnnouncer {
	/** A write for the transaction that finishes the task. */
	announcingTask(id: string): Write;
	/** The task is completed or has failed, and this is on the disk. */
	taskFinished(id: string): void;
}

/** Stats for /metrics. */
export interface FileServiceStats {
	readonly tasks: Readonly<Record<TaskState, number>>;
	readonly callbacksWaiting: number;
	/** Transcribed since the start. */
	readonly audioSeconds: number;
}

export class FileService {
	readonly #parts: FileServiceParts;
	readonly #store: TaskStore;
	readonly #tasks: Tasks;
	readonly #liveTasks: LiveTasks;
	readonly #callbacks: Callbacks;
	readonly #sweeper: Sweeper;
	readonly #removals: RequestedRemovals;
	#announcer: TaskAnnouncer | undefined;
	#onWaiting: ((ids: readonly string[]) => void) | undefined;

	constructor(parts: FileServiceParts) {
		const { config, shelf, outbound } = parts;
		this.#parts = parts;
		const reserve = {
			folder: dirname(parts.database.path),
			reserveBytes: config.files.disk_reserve_megabytes * bytesPerMegabyte,
		};
		this.#store = openTaskStore(parts.database, (bytes) =>
			requireReserve("corrections", bytes, reserve),
		);
		const running = {
			...parts,
			store: this.#store,
			audio: shelf,
			announcing: (id: string) => this.#announcer?.announcingTask(id),
			onFinished: (row: TaskRow) => {
				this.#callbacks.onTaskChanged(row.id);
				this.#announcer?.taskFinished(row.id);
				void this.#sweeper.afterTask(row);
			},
		};
		this.#liveTasks = new LiveTasks(running);
		this.#tasks = new Tasks({
			...running,
			live: this.#liveTasks,
			slots: config.engine.batch_slots,
			queueMax: config.tasks.queue_max,
			onWaiting: (ids) => this.#onWaiting?.(ids),
			onRemoved: (id) => this.#callbacks.onTaskChanged(id),
		});
		this.#callbacks = new Callbacks({
			...parts,
			outbox: this.#store.outbox,
			tasks: this.#tasks,
			transport: outbound,
			secret: config.callback.secret,
		});
		this.#sweeper = new Sweeper({
			...parts,
			store: this.#store,
			tasks: this.#tasks,
			audio: shelf,
			resultDays: config.tasks.result_days,
			audioDays: config.tasks.audio_days,
		});
		this.#removals = new RequestedRemovals({
			requests: this.#store.removalRequests,
			tasks: this.#tasks,
			log: parts.log,
		});
		shelf.onShort((bytes, min) => this.#sweeper.makeRoom(bytes, min));
	}

	/** Called before `start`. */
	announceTo(announcer: TaskAnnouncer): void {
		this.#announcer = announcer;
	}

	/** @param listener gets the ids of the tasks that wait while every slot is taken, in queue order, whenever they may have changed. */
	onWaiting(listener: (ids: readonly string[]) => void): void {
		this.#onWaiting = listener;
	}

	get tasks(): TaskService {
		return this.#tasks;
	}

	/** Parts of their audio. */
	cutsBy(decoder: ContainerDecoder): TaskCuts {
		return new TaskCuts({
			shelf: this.#parts.shelf,
			decoder,
			audioOf: (id) => this.#tasks.audio(id),
		});
	}

	/** The shapes of their audio. */
	peaksBy(decoder: ContainerDecoder): TaskPeaks {
		return new TaskPeaks({
			edits: this.#store.edits,
			shelf: this.#parts.shelf,
			decoder,
			audioOf: (id) => this.#tasks.audio(id),
		});
	}

	/** Tasks whose speech is recognized while it is spoken. */
	get liveTasks(): LiveTasks {
		return this.#liveTasks;
	}

	/** For callers whose requests may be repeated (`Tasks`). */
	get requests(): Pick<Tasks, "requested"> {
		return this.#tasks;
	}

	/** For devices that transcribe tasks of this one (`Tasks`). */
	get sharing(): Pick<Tasks, "shareable" | "lend"> {
		return this.#tasks;
	}

	get stats(): FileServiceStats {
		return {
			tasks: this.#tasks.counts,
			callbacksWaiting: this.#callbacks.waiting,
			audioSeconds: this.#tasks.audioSeconds,
		};
	}

	/** Resumes unfinished tasks and callbacks. @throws StoreError */
	async start(): Promise<void> {
		await this.#tasks.start();
		await this.#callbacks.start();
		this.#liveTasks.start();
		this.#sweeper.start();
		this.#removals.start();
	}

	async stop(): Promise<void> {
		await this.#removals.stop();
		await this.#tasks.stop();
		await this.#liveTasks.stop();
		await this.#callbacks.stop();
		await this.#sweeper.stop();
	}
}
