/** What a listener counts, for /metrics. */

/** Networks that were refused and are remembered, so that each is logged once. */
const networksMax = 100;

export type RefusalReason = "not allowed" | "full";

export class ListenerStats {
	readonly endpoint: string;
	readonly #open: () => number;
	readonly #refusals = new Map<RefusalReason, number>();
	readonly #turns = new Map<string, number>();
	readonly #logged = new Set<string>();
	#connections = 0;
	#audioSeconds = 0;

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

	/** By the status that the peer was told; "gone": it left before. */
	get turns(): ReadonlyMap<string, number> {
		return this.#turns;
	}

	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	connected(): void {
		this.#connections++;
	}

	/** @returns whether this network is refused for that reason for the first time. */
	refused(why: RefusalReason, network: string): boolean {
		this.#refusals.set(why, (this.#refusals.get(why) ?? 0) + 1);
		const key = `${why} ${network}`;
		if (this.#logged.has(key) || this.#logged.size >= networksMax) return false;
		this.#logged.add(key);
		return true;
	}

	turnEnded(status: string, audioSeconds: number): void {
		this.#turns.set(status, (this.#turns.get(status) ?? 0) + 1);
		this.#audioSeconds += audioSeconds;
	}
}
