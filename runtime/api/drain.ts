/** Waits until nothing is open on an endpoint any more. One waits at a time: servers that share endpoints do so through socket-endpoints.ts. */
export class Drain {
	readonly #openCount: () => number;
	#onEmpty: (() => void) | undefined;

	constructor(openCount: () => number) {
		this.#openCount = openCount;
	}

	/** After one has ended. */
	oneEnded(): void {
		if (this.#openCount() === 0) this.#onEmpty?.();
	}

	/** Until nothing is open, or this time has passed. */
	within(milliseconds: number): Promise<void> {
		if (this.#openCount() === 0) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, milliseconds);
			this.#onEmpty = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}
