/** Reads what has come over a connection in slices: one peer may send thousands of short messages at once, and nobody else waits for them. */
import { sliceMs } from "../../event-loop/slices.js";

export class SlicedLoop {
	readonly #step: () => boolean;
	readonly #onPause: () => void;
	#isRunning = false;
	#nextSlice: NodeJS.Immediate | undefined;
	/** Of the slice that this turn of the event loop has, in the clock of `performance`. */
	#endsAt: number | undefined;

	/**
	 * @param step handles a message; false: there is none, or it has to wait.
	 * @param onPause is called after each slice.
	 */
	constructor(step: () => boolean, onPause: () => void) {
		this.#step = step;
		this.#onPause = onPause;
	}

	/** There is more to do, in a later turn of the event loop. */
	get isPending(): boolean {
		return this.#nextSlice !== undefined;
	}

	/** Does nothing while it runs: what a step does may lead here again. */
	run(): void {
		if (this.#isRunning || this.isPending) return;
		this.#isRunning = true;
		try {
			this.#slice();
		} finally {
			this.#isRunning = false;
		}
		this.#onPause();
	}

	end(): void {
		if (this.#nextSlice) clearImmediate(this.#nextSlice);
		this.#nextSlice = undefined;
	}

	#slice(): void {
		const endsAt = this.#endOfSlice();
		while (this.#step()) {
			if (performance.now() < endsAt) continue;
			this.#nextSlice = setImmediate(() => {
				this.#nextSlice = undefined;
				this.run();
			});
			return;
		}
	}

	/** A step may be answered, and so lead to the next run, without the event loop having turned: these runs share a slice. */
	#endOfSlice(): number {
		if (this.#endsAt === undefined) {
			this.#endsAt = performance.now() + sliceMs;
			setImmediate(() => {
				this.#endsAt = undefined;
			});
		}
		return this.#endsAt;
	}
}
