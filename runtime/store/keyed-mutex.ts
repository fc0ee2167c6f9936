/** Runs calls with the same key one after the other, and different keys in parallel. */
export class KeyedMutex {
	readonly #tails = new Map<string, Promise<unknown>>();

	/** @returns the result of `act`, which runs once all earlier calls have ended, successfully or not. */
	async run<T>(key: string, act: () => Promise<T>): Promise<T> {
		const before = this.#tails.get(key) ?? Promise.resolve();
		const mine = before.then(act, act);
		this.#tails.set(key, mine);
		try {
			return await mine;
		} finally {
			if (this.#tails.get(key) === mine) this.#tails.delete(key);
		}
	}
}
