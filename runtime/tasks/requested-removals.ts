/**
 * Removes the tasks that the command line wants removed (store/removal-requests.ts). One that can't be removed now, as on a disk that is full or reports errors,
 * holds up no other, and is tried again after growing pauses: each try ends the task's run.
 */
import { backOff } from "../limits/back-off.js";
import type { LogPort } from "../log/log-port.js";
import type { RemovalRequestRepository } from "../store/removal-requests.js";
import type { TaskService } from "./task-service.js";

export interface RequestedRemovalsParts {
	readonly requests: Pick<RemovalRequestRepository, "list" | "remove">;
	readonly tasks: Pick<TaskService, "remove">;
	readonly log: LogPort;
}

/** How often the requests are looked at. */
const everyMs = 1000;
const pauseMsMin = 5000;
const pauseMsMax = 300_000;

interface Failed {
	readonly times: number;
	/** By the monotonic clock. */
	readonly notBeforeMs: number;
}

export class RequestedRemovals {
	readonly #parts: RequestedRemovalsParts;
	/** By task. */
	readonly #failed = new Map<string, Failed>();
	#timer: NodeJS.Timeout | undefined;
	#round: Promise<void> = Promise.resolve();
	#isStopped = false;

	constructor(parts: RequestedRemovalsParts) {
		this.#parts = parts;
	}

	start(): void {
		if (this.#isStopped) return;
		this.#timer = setTimeout(() => {
			this.#round = this.#removeSome().then(() => this.start());
		}, everyMs);
		this.#timer.unref();
	}

	/** Also waits for a removal in progress; requests that are left are met after the next start. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#round;
	}

	/** Never rejects. */
	async #removeSome(): Promise<void> {
		const nowMs = performance.now();
		const requested = this.#requested();
		for (const id of this.#failed.keys())
			if (!requested.includes(id)) this.#failed.delete(id);
		for (const id of requested) {
			const failed = this.#failed.get(id);
			if (this.#isStopped || (failed && failed.notBeforeMs > nowMs)) continue;
			try {
				await this.#parts.tasks.remove(id);
				await this.#parts.requests.remove(id);
				this.#failed.delete(id);
			} catch (error) {
				this.#onFailed(id, failed?.times ?? 0, error);
			}
		}
	}

	#requested(): readonly string[] {
		try {
			return this.#parts.requests.list();
		} catch (error) {
			this.#parts.log.error({ err: error }, "no request can be read");
			return [];
		}
	}

	#onFailed(id: string, before: number, error: unknown): void {
		const pauseMs = backOff(before, pauseMsMin, pauseMsMax);
		const notBeforeMs = performance.now() + pauseMs;
		this.#failed.set(id, { times: before + 1, notBeforeMs });
		this.#parts.log.error(
			{ task: id, err: error },
			"failed to remove a task on request, retrying later",
		);
	}
}
