/** Tasks whose leases were lost, or whose audio a device did not get: how often, and when each may be offered again. */
import { backOff } from "../../limits/back-off.js";

/** Pause before the task is offered again; doubled each time. */
const lostMsMin = 1000;
const lostMsMax = 300_000;
/** Number of tasks whose losses are remembered; older ones are offered like any other. */
const lossesMax = 1000;

export class LeaseLosses {
	readonly #losses = new Map<string, { times: number; untilMs: number }>();
	#count = 0;

	/** Lost leases of all tasks, since the start. */
	get count(): number {
		return this.#count;
	}

	/** When the task may be offered again, on the clock of `performance.now()`; 0: at any time. */
	untilMs(taskId: string): number {
		return this.#losses.get(taskId)?.untilMs ?? 0;
	}

	/** @param isOurs the task is not offered any more. */
	note(taskId: string, isOurs: boolean): void {
		this.#count++;
		this.#postpone(taskId, isOurs);
	}

	/** No device has worked on it: there was no lease. */
	noteFailedGrant(taskId: string): void {
		this.#postpone(taskId, false);
	}

	/** After a lease that ended well. */
	forget(taskId: string): void {
		this.#losses.delete(taskId);
	}

	#postpone(taskId: string, isOurs: boolean): void {
		const times = (this.#losses.get(taskId)?.times ?? 0) + 1;
		const pauseMs = isOurs
			? Number.POSITIVE_INFINITY
			: backOff(times - 1, lostMsMin, lostMsMax);
		const untilMs = performance.now() + pauseMs;
		this.#losses.delete(taskId);
		this.#losses.set(taskId, { times, untilMs });
		const [oldest = ""] = this.#losses.keys();
		if (this.#losses.size > lossesMax) this.#losses.delete(oldest);
	}
}
