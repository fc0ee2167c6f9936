/** Limits concurrent work; waiting calls run in the order of their arrival. */
export class Semaphore {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	constructor(places: number) {
		this.#free = places;
	}

	/** @param signal cancels the waiting; the promise then rejects with its reason. */
	async run<T>(
		signal: AbortSignal | undefined,
		act: () => Promise<T>,
	): Promise<T> {
		await this.#enter(signal);
		try {
			return await act();
		} finally {
			this.#leave();
		}
	}

	#enter(signal: AbortSignal | undefined): Promise<void> {
		signal?.throwIfAborted();
		if (this.#free > 0) {
			this.#free--;
			return Promise.resolve();
		}
		return new Promise((resolve, reject) => {
			const enter = () => {
				signal?.removeEventListener("abort", giveUp);
				resolve();
			};
			const giveUp = () => {
				this.#waiting.splice(this.#waiting.indexOf(enter), 1);
				reject(signal?.reason);
			};
			this.#waiting.push(enter);
			signal?.addEventListener("abort", giveUp, { once: true });
		});
	}

	#leave(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.#free++;
	}
}
