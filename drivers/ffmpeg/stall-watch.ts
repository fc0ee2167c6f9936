/**
 * A deadline that only runs while the child owes us something: not while we are slow to read, and not while it waits for input.
 */
export class StallWatch {
	readonly #limitMs: number;
	readonly #onStall: () => void;
	#timer: NodeJS.Timeout | undefined;

	constructor(limitMs: number, onStall: () => void) {
		this.#limitMs = limitMs;
		this.#onStall = onStall;
	}

	/** The child owes something from now on. */
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
