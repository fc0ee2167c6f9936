/** What a listener counts, for /metrics. */

/** Networks that were refused and are remembered, so that each is logged once. */
const networksMax = 100;

export type RefusalReason = "not allowed" | "full";

/** The newest connection that was accepted. */
export interface LastConnection {
	/** Unix time. */
	readonly atSeconds: number;
	readonly address: string;
}

export class ListenerStats {
	readonly endpoint: string;
	readonly #open: () => number;
	readonly #refusals = new Map<RefusalReason, number>();
	readonly #logged = new Set<string>();
	#connections = 0;
	#last: LastConnection | undefined;

	constructor(endpoint: string, open: () => number) {
		this.endpoint = endpoint;
		this.#open = open;
	}

	/** Now. */
	get connectionsOpen(): number {
		return this.#open();
	}

	/** Accepted since the start. */
	get connections(): number {
		return this.#connections;
	}

	get refusals(): ReadonlyMap<RefusalReason, number> {
		return this.#refusals;
	}

	get last(): LastConnection | undefined {
		return this.#last;
	}

	connected(address: string): void {
		this.#connections++;
		this.#last = { atSeconds: Date.now() / 1000, address };
	}

	/** @returns whether this network is refused for that reason for the first time. */
	refused(why: RefusalReason, network: string): boolean {
		this.#refusals.set(why, (this.#refusals.get(why) ?? 0) + 1);
		const key = `${why} ${network}`;
		if (this.#logged.has(key) || this.#logged.size >= networksMax) return false;
		this.#logged.add(key);
		return true;
	}
}
