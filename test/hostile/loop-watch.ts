/**
 * How long the event loop of this thread was held in one piece, in processor time: what it cost the thread, not what a clock on the wall says, so that a
 * busy machine shows nothing.
 *
 * A look every few milliseconds reads what the thread has used (`/proc/thread-self/schedstat`, first field). What it used between two looks is one turn of the
 * loop, and at most a look's distance more. Collections of garbage that stop the thread are in it, as they are for whoever waits.
 */
import { openSync, readSync } from "node:fs";

const pollMs = 2;

export class LoopWatch {
	/** The main thread's own, also where somebody reads it later. */
	readonly #file = openSync("/proc/thread-self/schedstat", "r");
	readonly #bytes = Buffer.alloc(64);
	#lastMs = this.#usedMs();
	#longestTurnMs = 0;

	constructor() {
		setInterval(() => this.#poll(), pollMs).unref();
	}

	/** Milliseconds of the longest turn since the last question. */
	take(): number {
		this.#poll();
		const longestTurnMs = this.#longestTurnMs;
		this.#longestTurnMs = 0;
		return longestTurnMs;
	}

	#poll(): void {
		const nowMs = this.#usedMs();
		this.#longestTurnMs = Math.max(this.#longestTurnMs, nowMs - this.#lastMs);
		this.#lastMs = nowMs;
	}

	#usedMs(): number {
		const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
		const [nanoseconds] = this.#bytes.toString("latin1", 0, length).split(" ");
		return Number(nanoseconds) / 1e6;
	}
}
