/**
 * How many uploads may come in at once: each holds a connection, a file and a piece of its body, and on a full line all of them are slow. Past that the answer
 * is "come back later", before anything of the body is read. Callers share the places, so that one whose files come slowly leaves some to the others.
 */
import { CodedError } from "../../errors.js";
import { FairShare } from "../../fair-share.js";
import type { Owner } from "../../owner.js";

const retryAfterSeconds = 10;

export class UploadPlaces {
	readonly #shares: FairShare<Owner>;

	constructor(max: number) {
		this.#shares = new FairShare(() => max);
	}

	/** @returns what gives the place back; idempotent. @throws CodedError 100004 */
	take(sharer: Owner): () => void {
		const { taken, free } = this.#shares;
		if (this.#shares.mayTake(sharer)) return this.#shares.take(sharer);
		const why =
			free === 0
				? `${taken} files are being uploaded`
				: "too many of this caller's files are being uploaded";
		throw new CodedError("100004", `at capacity, try again later: ${why}`, {
			retryAfterSeconds,
		});
	}
}
