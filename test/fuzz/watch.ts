/** Says which case never ended, for the loop that runs it can't: a thread beside it sees whether cases come and go. */
import { Worker } from "node:worker_threads";

/** A case that takes longer is a finding. The longest takes 80 s of a processor, which beside other work may be many minutes. */
const secondsMax = 900;

export class Watch {
	/** How many cases began, and the seed of the last. */
	readonly #shared = new Uint32Array(new SharedArrayBuffer(8));
	readonly #worker: Worker;

	constructor() {
		const workerData = { shared: this.#shared, secondsMax };
		this.#worker = new Worker(thread, { eval: true, workerData });
		this.#worker.unref();
	}

	/** @param name of the property whose turn it is. */
	name(name: string): void {
		this.#worker.postMessage(name);
	}

	begin(seed: number): void {
		Atomics.store(this.#shared, 1, seed);
		Atomics.add(this.#shared, 0, 1);
	}

	async close(): Promise<void> {
		await this.#worker.terminate();
	}
}

const thread = `
const { parentPort, workerData } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const { shared, secondsMax } = workerData;
let name = "";
let seen = 0;
let idleSeconds = 0;
parentPort.on("message", (said) => { name = said; });
setInterval(() => {
	const begun = Atomics.load(shared, 0);
	idleSeconds = begun === seen ? idleSeconds + 1 : 0;
	seen = begun;
	if (idleSeconds < secondsMax) return;
	const seed = Atomics.load(shared, 1);
	writeSync(1, name + ": no end after " + secondsMax + " s\\n  seed " + seed + "; again: scripts/fuzz " + name + " --seed " + seed + "\\n");
	process.kill(process.pid, "SIGKILL");
}, 1000);
`;
