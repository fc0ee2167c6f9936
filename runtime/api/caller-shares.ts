/** Places shared by callers and by the networks they come from: neither one caller nor one network can hold all of them (fair-share.ts). */
import { CodedError } from "../errors.js";
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import { networkOf } from "./network-of.js";

export interface ShareLimits {
	readonly places: number;
	/** Fractions of the places, above 0 to 1, that one caller and one network may hold. */
	readonly callerShareMax: number;
	readonly networkShareMax: number;
}

const retryAfterSeconds = 5;

export class CallerShares {
	readonly #what: string;
	readonly #callers: FairShare<Owner>;
	readonly #networks: FairShare<string>;

	/** @param what names the places in messages: "connections". */
	constructor(what: string, limits: ShareLimits) {
		const places = () => limits.places;
		this.#what = what;
		this.#callers = new FairShare(places, limits.callerShareMax);
		this.#networks = new FairShare(places, limits.networkShareMax);
	}

	/** @returns a function that gives the place back; idempotent. @throws CodedError 100004 with the share that is used up. */
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
