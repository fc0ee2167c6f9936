/**
 * How many uploads may come in at once: each holds a connection, a file and a piece of its body, and on a full line all of them are slow. Past that the answer
 * is "come back later", before anything of the body is read.
 */
import { CodedError } from "../../errors.js";

const retryAfterSeconds = 10;

export class UploadPlaces {
	readonly #max: number;
	#taken = 0;

	constructor(max: number) {
		this.#max = max;
	}

	/** @returns what gives the place back; idempotent. @throws CodedError 100004 */
	take(): () => void {
		if (this.#taken >= this.#max)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${this.#taken} files are being uploaded`,
				{ retryAfterSeconds },
			);
		this.#taken++;
		let isHeld = true;
		return () => {
			if (isHeld) this.#taken--;
			isHeld = false;
		};
	}
}
