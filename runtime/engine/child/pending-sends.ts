/**
 * Messages being sent from this process to another. A batch's audio is megabytes, and each turn of the event loop sends only what fits into a pipe. Alternating
 * with this process' own inferences, each of which blocks the loop, it would arrive seconds late while the other process is idle.
 */
import { sleepUnlessAborted } from "../../event-loop/sleep.js";

/** A process that does not read must not block this one. */
const waitMsMax = 100;

export class PendingSends {
	readonly #all = new Set<Promise<void>>();

	/** @param sent settles when the message was sent, or can't be; never rejects. */
	add(sent: Promise<void>): void {
		this.#all.add(sent);
		void sent.then(() => this.#all.delete(sent));
	}

	/** Settles when all messages are sent, or after `waitMsMax`. */
	async drained(): Promise<void> {
		if (this.#all.size === 0) return;
		const waiting = [...this.#all];
		const late = new AbortController();
		await Promise.race([
			Promise.all(waiting),
			sleepUnlessAborted(waitMsMax, late.signal),
		]);
		late.abort();
		for (const sent of waiting) this.#all.delete(sent);
	}
}
