/** One after the other for each key, all keys side by side. */
export class KeyedMutex {
	readonly #tails = new Map<string, Promise<unknown>>();

	/** @returns what `act` does, once everybody who came before has ended, well or badly. */
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
