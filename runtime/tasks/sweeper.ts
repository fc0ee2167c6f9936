/**
 * Deletes what is no longer needed, at the start and every hour: expired tasks with their transcripts, uploads of finished tasks, and remains of a crash: audio
 * without a row, work, pages and corrections of tasks that no longer exist. Where disk space is low, uploads are deleted before they expire, the oldest first.
 *
 * INVARIANTS
 * - Nothing is deleted by age while the clock is in doubt (runtime/clock).
 * - Nothing of an unfinished task is touched, nor audio that is being written.
 * - Whatever fails is retried an hour later.
 */
import type { Clock } from "../clock/clock.js";
import type { LogPort } from "../log/log-port.js";
import { eachTried } from "../store/each-tried.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";
import type { TaskService } from "./task-service.js";
import type { TaskStore } from "./task-store.js";

export interface SweeperParts {
	readonly store: TaskStore;
	readonly tasks: Pick<TaskService, "find" | "remove">;
	readonly audio: {
		/** Complete files; those being written are not included. */
		ids(): Promise<readonly string[]>;
		/** Bytes. */
		size(id: string): Promise<number | undefined>;
		remove(id: string): Promise<void>;
	};
	/** Audio on the same shelf that other parts own. */
	readonly othersAudio: () => AsyncIterable<string>;
	/** `tasks.result_days`, `tasks.audio_days` */
	readonly resultDays: number;
	readonly audioDays: number;
	readonly clock: Pick<Clock, "ageSeconds" | "countsAges">;
	readonly log: LogPort;
}

const hourMs = 3_600_000;
const daySeconds = 86_400;
/** Of a request that gets its result at once: it has been answered, but the removal failed. */
const awaitedDays = 1 / 24;

export class Sweeper {
	readonly #parts: SweeperParts;
	#timer: NodeJS.Timeout | undefined;
	#round: Promise<void> = Promise.resolve();
	#stopped = false;

	constructor(parts: SweeperParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#timer = setInterval(() => void this.runOnce(), hourMs);
		this.#timer.unref();
		void this.runOnce();
	}

	/** Also waits for a sweep in progress. */
	async stop(): Promise<void> {
		this.#stopped = true;
		clearInterval(this.#timer);
		await this.#round;
	}

	/** Never rejects. */
	runOnce(): Promise<void> {
		this.#round = this.#round
			.then(() => this.#sweep())
			.catch((error: unknown) =>
				this.#parts.log.error(
					{ err: error },
					"cleanup failed, retrying in an hour",
				),
			);
		return this.#round;
	}

	/**
	 * Deletes uploads of finished tasks, those finished longest ago first, until enough bytes are free or none is left.
	 * @param bytesMin if all of them have less than this, none is deleted: it would not help.
	 */
	async makeRoom(bytes: number, bytesMin: number): Promise<void> {
		const { store, audio, log } = this.#parts;
		const rows = [...store.tasks.list()].filter(
			(row) => !row.audioGone && !isUnfinished(row.state),
		);
		const kept: { row: TaskRow; age: number; bytes: number }[] = [];
		for (const row of rows) {
			const size = (await audio.size(row.audioId).catch(() => 0)) ?? 0;
			kept.push({ row, age: this.#ageSeconds(row), bytes: size });
		}
		if (kept.reduce((sum, it) => sum + it.bytes, 0) < bytesMin) return;
		kept.sort((one, other) => other.age - one.age);
		let made = 0;
		await eachTried(kept, async ({ row, bytes: size }) => {
			if (made >= bytes || this.#stopped) return;
			made += size;
			log.warn(
				{ task: row.id },
				"low disk space: deleting uploaded audio early",
			);
			await this.#removeAudio(row);
		});
	}

	/** Deletes the upload of a task that has just finished, where audio is not kept. */
	async afterTask(row: TaskRow): Promise<void> {
		try {
			if (this.#parts.audioDays === 0) await this.#removeAudio(row);
		} catch (error) {
			this.#parts.log.warn(
				{ task: row.id, err: error },
				"failed to delete audio, retrying later",
			);
		}
	}

	async #sweep(): Promise<void> {
		// the audio first: it makes room, without which no row can be removed
		const steps = [
			() => this.#removeOldAudio(),
			() => this.#removeOldTasks(),
			() => this.#removeLostAudio(),
			() => this.#removeLostRows(),
		];
		await eachTried(steps, (step) => step());
	}

	async #removeOldTasks(): Promise<void> {
		const { store, tasks, resultDays } = this.#parts;
		await eachTried([...store.tasks.list()], async (row) => {
			const days = row.isAwaited ? awaitedDays : resultDays;
			if (!this.#stopped && this.#isFinishedFor(row, days))
				await tasks.remove(row.id);
		});
	}

	async #removeOldAudio(): Promise<void> {
		const { store, audioDays } = this.#parts;
		await eachTried([...store.tasks.list()], async (row) => {
			if (!this.#stopped && this.#isFinishedFor(row, audioDays))
				await this.#removeAudio(row);
		});
	}

	async #removeLostAudio(): Promise<void> {
		const { store, audio, othersAudio } = this.#parts;
		// listed first: a file listed now has its row by now, or never gets one
		const ids = await audio.ids();
		const named = new Set<string>();
		for await (const id of othersAudio()) named.add(id);
		for (const { audioId } of store.tasks.list()) named.add(audioId);
		for (const id of ids)
			if (!this.#stopped && !named.has(id)) await audio.remove(id);
	}

	async #removeLostRows(): Promise<void> {
		const { tasks, work, results, edits, outbox } = this.#parts.store;
		const stateOf = (id: string) => tasks.find(id)?.state ?? "failed";
		for await (const id of work.ids())
			if (!isUnfinished(stateOf(id))) await work.clear(id);
		for await (const id of results.ids())
			if (stateOf(id) === "failed") await results.clear(id);
		for await (const id of edits.ids())
			if (!tasks.find(id)) await edits.clear(id);
		for await (const { taskId } of outbox.list())
			if (!tasks.find(taskId)) await outbox.remove(taskId);
	}

	async #removeAudio(row: TaskRow): Promise<void> {
		const { store, audio, tasks } = this.#parts;
		if (row.audioGone) return;
		await audio.remove(row.audioId);
		if (!tasks.find(row.id)) return; // writing the row after its removal would restore it
		const now = store.tasks.find(row.id);
		if (now) await store.tasks.change({ ...now, audioGone: true });
	}

	#isFinishedFor(row: TaskRow, days: number): boolean {
		if (isUnfinished(row.state)) return false;
		if (days === 0) return true;
		const { countsAges } = this.#parts.clock;
		return countsAges && this.#ageSeconds(row) >= days * daySeconds;
	}

	/** Age since the task was finished. */
	#ageSeconds({ finishSeconds, finishOperatingSeconds }: TaskRow): number {
		if (finishSeconds === undefined) return 0;
		return this.#parts.clock.ageSeconds({
			seconds: finishSeconds,
			operatingSeconds: finishOperatingSeconds,
		});
	}
}
