/**
 * Decides which connections are accepted: there is a limit for all, and one for each network. Connections above it are closed before a byte is read, so the
 * limits of a network are slightly above those at which its requests are refused with an answer.
 *
 * The library counts connections but does not report whose have ended, and keeps a WebSocket that was closed here until the client has closed it as well. While
 * the count is too low for this to matter, nothing is asked; above that the kernel is asked, four times a second at most.
 */
import { networkOf } from "../network-of.js";
import { type Census, connectionsTo } from "./connection-census.js";

export interface ConnectionSettings {
	readonly connectionsMax: number;
	/** Fraction of them that one network may hold. */
	readonly networkShareMax: number;
}

export interface ConnectionLimits {
	/** Of all networks together. */
	readonly max: number;
	/** Of each network. */
	readonly perNetworkMax: number;
}

/** Connections accepted above a network's share: their requests are refused with a reason. */
const refusedMax = 16;
/** How long the library waits for the client to close a WebSocket. */
const lingerMs = 20_000;
const censusEveryMs = 250;
/** An older census is not used. */
const freshMs = 5_000;

/** @param ports on which the connections arrive */
export function limiterFor(
	{ connectionsMax: max, networkShareMax }: ConnectionSettings,
	ports: () => readonly number[],
): ConnectionLimiter {
	const perNetworkMax = Math.floor(max * networkShareMax) + refusedMax;
	return new ConnectionLimiter({ max, perNetworkMax }, ports);
}

export class ConnectionLimiter {
	readonly #limits: ConnectionLimits;
	readonly #count: () => Promise<Census | undefined>;
	readonly #nowMs: () => number;
	#open = 0;
	/** When each WebSocket that was closed here is certainly gone, the earliest first. */
	readonly #lingering: number[] = [];
	#census: Census | undefined;
	#censusMs = Number.NEGATIVE_INFINITY;
	#since = new Changes();
	/** Changes since the next census was requested. */
	#sinceRequest: Changes | undefined;

	constructor(
		limits: ConnectionLimits,
		ports: () => readonly number[],
		count = () => connectionsTo(ports()),
		nowMs = () => performance.now(),
	) {
		this.#limits = limits;
		this.#count = count;
		this.#nowMs = nowMs;
	}

	/** Connections in use. */
	get open(): number {
		return this.#open;
	}

	/** A connection was opened. @returns whether it may stay; `closed` follows either way */
	opened(address: string): boolean {
		this.#open++;
		const { max, perNetworkMax } = this.#limits;
		if (this.#atMost <= perNetworkMax) {
			this.#forget(); // no network can be above its limit
			return true;
		}
		this.#countSoon();
		const network = networkOf(address);
		this.#since.opened(network);
		this.#sinceRequest?.opened(network);
		return this.#total <= max && this.#of(network) <= perNetworkMax;
	}

	/** An HTTP connection has ended. */
	closed(): void {
		this.#open--;
		this.#since.closed++;
		if (this.#sinceRequest) this.#sinceRequest.closed++;
	}

	/** A WebSocket was closed by either side: its connection may remain for a while, as the next census shows. */
	left(): void {
		this.closed();
		this.#lingering.push(this.#nowMs() + lingerMs);
	}

	/** An upper bound of the connections that hold a descriptor. */
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
		if (this.#sinceRequest) return;
		if (this.#nowMs() - this.#censusMs < censusEveryMs) return;
		// a connection that opens meanwhile may or may not be in the census: it is counted in any case
		const since = new Changes();
		this.#sinceRequest = since;
		void this.#count()
			.catch(() => undefined)
			.then((census) => {
				this.#census = census;
				this.#censusMs = this.#nowMs();
				this.#since = since;
				this.#sinceRequest = undefined;
			});
	}
}

/** Changes since a census, as far as the library reports them. */
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

	/** The owners of closed connections are unknown until the next census: they are assumed to be of this network, as far as possible. */
	of(network: string): number {
		return Math.max(0, (this.#openedBy.get(network) ?? 0) - this.closed);
	}
}
