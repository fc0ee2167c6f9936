/**
 * What is on its way from this process to another. A batch's sound is megabytes, of which a turn of the event loop sends what fits into a pipe: taken in
 * turn with this process' own inferences, each of which blocks the loop, it arrives seconds late, and the other process has nothing to do meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** A process that does not read must not stop this one. */
const waitMsMax = 100;

export class PendingSends {
	readonly #all = new Set<Promise<void>>();

	/** @param sent settles when it has left, or can't; never rejects. */
	add(sent: Promise<void>): void {
		this.#all.add(sent);
		void sent.then(() => this.#all.delete(sent));
	}

	/** Settles when all of it has left, or this process stood still for it as long as is bearable. */
	async drained(): Promise<void> {
		if (this.#all.size === 0) return;
		const waiting = [...this.#all];
		const late = new AbortController();
		await Promise.race([
			Promise.all(waiting),
			sleep(waitMsMax, undefined, { signal: late.signal }).catch(() => {}),
		]);
		late.abort();
		for (const sent of waiting) this.#all.delete(sent);
	}
}
