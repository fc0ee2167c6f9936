/**
 * Memory for bodies that are kept whole until they are processed. Each body has its own limit, but the number of bodies is up to the clients, so their sum is
 * bounded here and shared fairly between callers. Above the bound a request is refused with "try again later": waiting would only fill the memory more slowly.
 *
 * What JSON becomes may be fifty times as large as its text, and is not counted: clients that send a list of 8 MiB after another would be refused. It is made of
 * one or two bodies at a time (event-loop/shared-turn.ts), and what is no list of texts is refused, and gone, before the next.
 */
import { CodedError } from "../errors.js";
import { FairShare } from "../limits/fair-share.js";
import { withCountedBody } from "./counted-body.js";
import type { ApiRequest, RequestContext } from "./exchange.js";
import { sharerOf } from "./network-of.js";

const retryAfterSeconds = 2;

export class BodyBudget {
	readonly #memory: FairShare;

	constructor(bytesMax: number) {
		this.#memory = new FairShare(() => bytesMax);
	}

	/** Memory held by the bodies in progress. */
	get bytes(): number {
		return this.#memory.taken;
	}

	/**
	 * @param act processes the request; its body is counted until `act` ends. @throws CodedError 100004 from the body, where all bodies together are too large.
	 */
	async spend<T>(
		{ request, principal }: Pick<RequestContext, "request" | "principal">,
		act: (request: ApiRequest) => Promise<T>,
	): Promise<T> {
		const sharer = sharerOf(principal, request);
		const held: (() => void)[] = [];
		const count = (bytes: number) => {
			if (!this.#memory.mayTake(sharer, bytes)) throw tooMuch();
			held.push(this.#memory.take(sharer, bytes));
		};
		try {
			return await act(withCountedBody(request, count));
		} finally {
			for (const giveBack of held) giveBack();
		}
	}
}

function tooMuch(): CodedError {
	return new CodedError(
		"100004",
		"too much is being sent at once, try again later",
		{ retryAfterSeconds },
	);
}
