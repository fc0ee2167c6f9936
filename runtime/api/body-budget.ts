/**
 * Memory for bodies that are kept whole until they are worked off. One is bounded by its own limit; how many there are at once is up to the clients, so
 * all together are bounded here, and callers share what there is. Past that the answer is "come back later": to wait would only fill the memory more slowly.
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

	/** What the bodies that are worked on take. */
	get bytes(): number {
		return this.#memory.taken;
	}

	/** @param act what is done with the request; its body counts until that is over. @throws CodedError 100004 from its body, once all are too much. */
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
