/**
 * Limits concurrent uploads: each holds a connection, a file and a piece of its body, and on a full line all of them are slow. Above the limit an upload is
 * refused with "try again later", before its body is read. Callers share the places, so that one whose files arrive slowly leaves some to the others; and a
 * file that still arrives slowly moves to one of many places for slow files, so that others do not wait for it for hours.
 */
import { CodedError } from "../../errors.js";
import { FairShare } from "../../limits/fair-share.js";
import type { Owner } from "../../owner.js";

const retryAfterSeconds = 10;
/** Places for slow files, for each of the others: together the slow files use less of the line. */
const slowPlacesEach = 8;
const slowBytesPerSecond = 64 * 1024;
/** Time after which a file is judged slow. */
const judgedMs = 10_000;

export interface UploadPlace {
	/** More bytes of the file have arrived. */
	add(bytes: number): void;
	/** Idempotent. */
	leave(): void;
}

export class UploadPlaces {
	readonly #places: FairShare<Owner>;
	readonly #slow: FairShare<Owner>;
	readonly #nowMs: () => number;

	constructor(max: number, nowMs = () => performance.now()) {
		this.#places = new FairShare(() => max);
		this.#slow = new FairShare(() => max * slowPlacesEach);
		this.#nowMs = nowMs;
	}

	/** @throws CodedError 100004 */
	take(sharer: Owner): UploadPlace {
		const { taken, free } = this.#places;
		if (this.#places.mayTake(sharer)) return this.#place(sharer);
		const why =
			free === 0
				? `${taken} files are being uploaded`
				: "too many of this caller's files are being uploaded";
		throw new CodedError("100004", `at capacity, try again later: ${why}`, {
			retryAfterSeconds,
		});
	}

	#place(sharer: Owner): UploadPlace {
		let leave = this.#places.take(sharer);
		let isSlow = false;
		let sinceMs = this.#nowMs();
		let bytesSince = 0;
		return {
			add: (bytes) => {
				bytesSince += bytes;
				const elapsedMs = this.#nowMs() - sinceMs;
				if (isSlow || elapsedMs < judgedMs) return;
				isSlow =
					bytesSince * 1000 < slowBytesPerSecond * elapsedMs &&
					this.#slow.mayTake(sharer);
				if (isSlow) {
					leave();
					leave = this.#slow.take(sharer);
				}
				sinceMs += elapsedMs;
				bytesSince = 0;
			},
			leave: () => leave(),
		};
	}
}
