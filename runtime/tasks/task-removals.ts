/**
 * Removes tasks with all that is stored of them.
 *
 * INVARIANTS
 * - A task is removed only after its run has ended.
 * - Where its rows can't be removed, it still exists, and goes on if it is unfinished.
 */
import { isUnfinished } from "../store/tasks.js";
import type { LiveTasks } from "./live-tasks.js";
import type { RunParts } from "./run-parts.js";
import type { TaskLoop } from "./task-loop.js";
import type { TaskRequests } from "./task-requests.js";
import type { TaskStore } from "./task-store.js";

export interface RemovalParts
	extends Pick<RunParts, "store" | "audio" | "log"> {
	/** A task was removed from the disk, together with its pending callback. */
	readonly onRemoved: (id: string) => void;
	/** Those of calls, which are not run by the loop. */
	readonly live: Pick<LiveTasks, "removing">;
}

export class TaskRemovals {
	readonly #parts: RemovalParts;
	readonly #loop: TaskLoop;
	readonly #requests: TaskRequests;
	readonly #underWay = new Map<string, Promise<boolean>>();

	constructor(parts: RemovalParts, loop: TaskLoop, requests: TaskRequests) {
		this.#parts = parts;
		this.#loop = loop;
		this.#requests = requests;
	}

	isUnderWay(id: string): boolean {
		return this.#underWay.has(id);
	}

	/** @returns whether it existed, and was removed by this call. @throws StoreError */
	remove(id: string): Promise<boolean> {
		const other = this.#underWay.get(id);
		if (other) return other.then(() => false);
		if (!this.#parts.store.tasks.find(id)) return Promise.resolve(false);
		const removal = this.#remove(id).finally(() => this.#underWay.delete(id));
		this.#underWay.set(id, removal);
		return removal;
	}

	async ended(): Promise<void> {
		await Promise.allSettled(this.#underWay.values());
	}

	async #remove(id: string): Promise<boolean> {
		const { store, audio, live, log } = this.#parts;
		const entry = this.#loop.find(id);
		if (entry) entry.standing = "going";
		entry?.run?.abort.abort();
		await entry?.run?.ended;
		const row = store.tasks.find(id);
		const removeAudio = async () => {
			if (row && row.audioId !== "") await audio.remove(row.audioId);
		};
		try {
			// first: on a full disk no row can be removed, and this makes room
			if (row && !isUnfinished(row.state)) await removeAudio();
			await live.removing(id, () => this.#removeRows(id));
		} catch (error) {
			if (isStored(store, id) !== false) {
				if (entry) entry.standing = "here"; // it still exists and continues
				this.#loop.pump();
				throw error;
			}
			log.warn({ task: id, err: error }, "removed, although its write failed");
		}
		this.#loop.takeOut(id);
		if (row) this.#requests.forget(row);
		this.#parts.onRemoved(id);
		await store.work.clear(id);
		await store.results.clear(id);
		await store.edits.clear(id);
		await removeAudio();
		this.#loop.pump();
		return true;
	}

	/** After this, nothing is written of the task any more. @throws StoreError */
	#removeRows(id: string): Promise<void> {
		const { tasks, work, results, outbox, edits } = this.#parts.store;
		return edits.alone(id, () =>
			tasks.remove(id, [
				work.removing(id),
				results.removing(id),
				outbox.removing(id),
				...edits.removing(id),
			]),
		);
	}
}

/** After a write that failed: it may have been made. @returns undefined where nothing can be read either. */
export function isStored(
	{ tasks }: Pick<TaskStore, "tasks">,
	id: string,
): boolean | undefined {
	try {
		return tasks.find(id) !== undefined;
	} catch {
		return undefined;
	}
}
