/** When a token was used last, and through which endpoint, since the start: for whoever wonders which of them are still needed. */

export interface Use {
	/** Unix time. */
	readonly atSeconds: number;
	readonly endpoint: string;
}

const tokensMax = 10_000;

export class LastUse {
	readonly #uses = new Map<string, Use>();

	note(id: string, endpoint: string): void {
		this.#uses.delete(id); // the order is that of use: the first is forgotten
		this.#uses.set(id, { atSeconds: Date.now() / 1000, endpoint });
		if (this.#uses.size <= tokensMax) return;
		const [oldest] = this.#uses.keys();
		if (oldest !== undefined) this.#uses.delete(oldest);
	}

	of(id: string): Use | undefined {
		return this.#uses.get(id);
	}
}
