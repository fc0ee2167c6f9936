/** Floods a server of this process from a thread, and measures how long its event loop is held meanwhile. */
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Test } from "tap";
import type { Flood } from "./fixtures/flood.js";
import { turnMsMax } from "./loop-probe.js";
import { LoopWatch } from "./loop-watch.js";

/** What holds the loop does so each time; a collection of garbage, or code that is compiled for the first time, does not. */
const attempts = 4;

/** @typeParam Given what its thread takes: of test/hostile/fixtures. */
export class Flooder<Given = Flood> {
	readonly #watch = new LoopWatch();
	readonly #peer: Worker;

	/** Ends with the test. */
	constructor(t: Pick<Test, "teardown">, fixture = "flood") {
		this.#peer = new Worker(
			join(import.meta.dirname, `fixtures/${fixture}.js`),
		);
		t.teardown(() => this.#peer.terminate());
	}

	/** Processor milliseconds of the longest turn; the least of some attempts where one is too long. */
	async longestTurnMs(given: Given): Promise<number> {
		let leastMs = Number.POSITIVE_INFINITY;
		for (let attempt = 0; attempt < attempts; attempt++) {
			this.#watch.take();
			await this.send(given);
			leastMs = Math.min(leastMs, this.#watch.take());
			if (leastMs <= turnMsMax) break;
		}
		return leastMs;
	}

	/** Resolves when all of it is sent, and what comes back has been read. */
	async send(given: Given): Promise<void> {
		this.#peer.postMessage(given);
		await once(this.#peer, "message");
	}
}
