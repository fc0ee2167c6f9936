/**
 * A deadline that only runs while output of the child is due: not while our consumer is slow, and not while the child waits for input.
 */
export class StallWatch {
	readonly #limitMs: number;
	readonly #onStall: () => void;
	#timer: NodeJS.Timeout | undefined;

	constructor(limitMs: number, onStall: () => void) {
		this.#limitMs = limitMs;
		this.#onStall = onStall;
	}

	/** Starts the deadline: output is due from now on. */
	arm(): void {
		this.disarm();
		this.#timer = setTimeout(this.#onStall, this.#limitMs);
		this.#timer.unref();
	}

	disarm(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}
}
