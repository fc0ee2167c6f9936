/** Places that callers share, and the networks as well that they come from: neither one caller nor one network holds all of them (fair-share.ts). */
import { CodedError } from "../errors.js";
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import { networkOf } from "./network-of.js";

export interface ShareLimits {
	readonly places: number;
	/** Of the places, above 0 to 1: what one caller may hold, and what all of one network may. */
	readonly callerShareMax: number;
	readonly networkShareMax: number;
}

const retryAfterSeconds = 5;

export class CallerShares {
	readonly #what: string;
	readonly #callers: FairShare<Owner>;
	readonly #networks: FairShare<string>;

	/** @param what they are, in messages: "connections". */
	constructor(what: string, limits: ShareLimits) {
		const places = () => limits.places;
		this.#what = what;
		this.#callers = new FairShare(places, limits.callerShareMax);
		this.#networks = new FairShare(places, limits.networkShareMax);
	}

	/** @returns what gives the place back; idempotent. @throws CodedError 100004 that says whose share is used up. */
	take(caller: Owner, remoteAddress: string): () => void {
		const network = networkOf(remoteAddress);
		const why = this.#objection(caller, network);
		if (why !== undefined)
			throw new CodedError("100004", `at capacity, try again later: ${why}`, {
				retryAfterSeconds,
			});
		const places = [this.#callers.take(caller), this.#networks.take(network)];
		return () => {
			for (const leave of places) leave();
		};
	}

	mayTake(caller: Owner, remoteAddress: string): boolean {
		return this.#objection(caller, networkOf(remoteAddress)) === undefined;
	}

	#objection(caller: Owner, network: string): string | undefined {
		if (this.#callers.free === 0) return `all ${this.#what} are in use`;
		if (!this.#callers.mayTake(caller))
			return `too many ${this.#what} of this caller are in use`;
		if (!this.#networks.mayTake(network))
			return `too many ${this.#what} from this address are in use`;
		return undefined;
	}
}
