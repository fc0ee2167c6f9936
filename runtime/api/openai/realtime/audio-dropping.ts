/**
 * Where no slot was free, audio is dropped for a while: the client is sent that error for what it commits meanwhile, and no recognition is opened. One that has
 * been opened already gets its audio.
 */
import type { CodedError } from "../../../errors.js";

/** At most. */
const secondsMax = 5;

export class AudioDropping {
	readonly #nowMs: () => number;
	#until: { readonly ms: number; readonly error: CodedError } | undefined;

	/** @param nowMs of any monotonic clock. */
	constructor(nowMs: () => number) {
		this.#nowMs = nowMs;
	}

	/** A recognition failed; begins where that was for want of a slot. */
	onFailed(error: CodedError): void {
		if (error.status !== "100004") return;
		const { retryAfterSeconds = secondsMax } = error;
		const seconds = Math.min(retryAfterSeconds, secondsMax);
		this.#until = { ms: this.#nowMs() + seconds * 1000, error };
	}

	/** Why audio is dropped now; undefined: it is not. */
	get error(): CodedError | undefined {
		const until = this.#until;
		return until && until.ms > this.#nowMs() ? until.error : undefined;
	}
}
