/** Work of which only so much goes on at once; the rest waits, in its order. */
export class Turns {
	#free: number;
	readonly #waiting: (() => void)[] = [];

	/** @param max at once. */
	constructor(max: number) {
		this.#free = max;
	}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#free > 0) this.#free--;
		else
			await new Promise<void>((resolve) => {
				this.#waiting.push(resolve);
			});
		try {
			return await work();
		} finally {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		}
	}
}
