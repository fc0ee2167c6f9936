/** Reads what has come over a connection in slices: one peer may send thousands of short messages at once, or many may, and nobody else waits for them. */
import { sharedTurn, unitsOfSlice } from "../../event-loop/slices.js";

export class SlicedLoop {
	readonly #step: () => boolean;
	readonly #onPause: () => void;
	#isRunning = false;
	/** Leaves the queue for the next slice. */
	#leave: (() => void) | undefined;

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
		return this.#leave !== undefined;
	}

	/** Does nothing while it runs: what a step does may lead here again. */
	run(): void {
		if (this.#isRunning || this.isPending) return;
		if (sharedTurn.isOver) this.#waitForTurn();
		else this.#slice();
		this.#onPause();
	}

	end(): void {
		this.#leave?.();
		this.#leave = undefined;
	}

	#waitForTurn(): void {
		this.#leave = sharedTurn.enter(sharedTurn.place(unitsOfSlice), () => {
			this.#leave = undefined;
			this.#slice();
			this.#onPause();
		});
	}

	/** At least one step. */
	#slice(): void {
		this.#isRunning = true;
		try {
			while (this.#step())
				if (sharedTurn.isOver) {
					this.#waitForTurn();
					return;
				}
		} finally {
			this.#isRunning = false;
		}
	}
}
