/**
 * Which connections are let in: so many in all, and of one network so many. What is over is closed before a byte of it is read, so the limits of a network are
 * a few above those at which its requests are refused with an answer.
 *
 * The library counts connections but does not say whose have ended, and keeps a WebSocket that was closed here until its other side has closed as well. As long as
 * that can't matter nobody asks; from then on the kernel is asked, four times a second at most.
 */
import { networkOf } from "../network-of.js";
import { type Census, connectionsTo } from "./connection-census.js";

export interface ConnectionLimits {
	/** Of everybody. */
	readonly max: number;
	/** Of one network. */
	readonly perNetworkMax: number;
}

/** The library waits so long for the other side's end of a WebSocket. */
const lingerMs = 20_000;
const censusEveryMs = 250;
/** An older one says nothing about now. */
const freshMs = 5_000;

export class ConnectionLimiter {
	readonly #limits: ConnectionLimits;
	readonly #count: () => Promise<Census | undefined>;
	readonly #nowMs: () => number;
	#open = 0;
	/** When each WebSocket that was closed here is gone for sure, the first one first. */
	readonly #lingering: number[] = [];
	#census: Census | undefined;
	#censusMs = Number.NEGATIVE_INFINITY;
	#since = new Changes();
	/** Since the next census was asked for. */
	#sinceAsked: Changes | undefined;

	constructor(
		limits: ConnectionLimits,
		port: () => number,
		count = () => connectionsTo(port()),
		nowMs = () => performance.now(),
	) {
		this.#limits = limits;
		this.#count = count;
		this.#nowMs = nowMs;
	}

	/** Connections that somebody uses. */
	get open(): number {
		return this.#open;
	}

	/** One more has come. @returns whether it may stay; `closed` follows either way */
	opened(address: string): boolean {
		this.#open++;
		const { max, perNetworkMax } = this.#limits;
		if (this.#atMost <= perNetworkMax) {
			this.#forget(); // nobody has more
			return true;
		}
		this.#countSoon();
		const network = networkOf(address);
		this.#since.opened(network);
		this.#sinceAsked?.opened(network);
		return this.#total <= max && this.#of(network) <= perNetworkMax;
	}

	/** An HTTP connection is gone. */
	closed(): void {
		this.#open--;
		this.#since.closed++;
		if (this.#sinceAsked) this.#sinceAsked.closed++;
	}

	/** A WebSocket is closed, by either side: its connection may take a while, as the next census shows. */
	left(): void {
		this.closed();
		this.#lingering.push(this.#nowMs() + lingerMs);
	}

	/** More can't hold a descriptor. */
	get #atMost(): number {
		const nowMs = this.#nowMs();
		while ((this.#lingering[0] ?? nowMs) < nowMs) this.#lingering.shift();
		return this.#open + this.#lingering.length;
	}

	get #total(): number {
		const census = this.#fresh;
		return census ? census.total + this.#since.total : this.#open;
	}

	#of(network: string): number {
		const counted = this.#fresh?.byNetwork.get(network) ?? 0;
		return counted + this.#since.of(network);
	}

	get #fresh(): Census | undefined {
		const isFresh = this.#nowMs() - this.#censusMs < freshMs;
		return isFresh ? this.#census : undefined;
	}

	#forget(): void {
		if (this.#since.isEmpty) return;
		this.#since = new Changes();
		this.#census = undefined;
	}

	#countSoon(): void {
		if (this.#sinceAsked) return;
		if (this.#nowMs() - this.#censusMs < censusEveryMs) return;
		// what opens meanwhile may be in it or not: it counts in any case
		const since = new Changes();
		this.#sinceAsked = since;
		void this.#count()
			.catch(() => undefined)
			.then((census) => {
				this.#census = census;
				this.#censusMs = this.#nowMs();
				this.#since = since;
				this.#sinceAsked = undefined;
			});
	}
}

/** What has happened since a census, as far as the library says. */
class Changes {
	closed = 0;
	#opened = 0;
	readonly #openedBy = new Map<string, number>();

	opened(network: string): void {
		this.#opened++;
		this.#openedBy.set(network, (this.#openedBy.get(network) ?? 0) + 1);
	}

	get isEmpty(): boolean {
		return this.#opened === 0;
	}

	get total(): number {
		return this.#opened - this.closed;
	}

	/** Whose were closed nobody knows until the next census: as far as they can be, this one's. */
	of(network: string): number {
		return Math.max(0, (this.#openedBy.get(network) ?? 0) - this.closed);
	}
}
