/**
 * Who may recognise now: a number of slots, and a short queue with a maximum length and a maximum wait. Never an unbounded queue: past
 * either maximum the answer is 100004, with a guess at when to come back.
 */
import { CodedError } from "../errors.js";

export interface AdmissionLimits {
	/** Recognitions at the same time; asked whenever somebody comes or goes. */
	readonly slots: () => number;
	readonly queueMax: number;
	readonly queueMsMax: number;
}

/** Gives the slot back; idempotent. */
export type Release = () => void;

type Waiter = {
	readonly admit: () => void;
	readonly refuse: (error: unknown) => void;
};

const retryAfterSecondsMax = 60;

/** Share of the newest recognition in the running mean of how long one holds its slot. */
const newestShare = 0.2;

export class Admission {
	readonly #limits: AdmissionLimits;
	readonly #queue: Waiter[] = [];
	#busy = 0;
	#heldMsMean = 1000;
	#refused = 0;

	constructor(limits: AdmissionLimits) {
		this.#limits = limits;
	}

	get busy(): number {
		return this.#busy;
	}

	get queued(): number {
		return this.#queue.length;
	}

	get refused(): number {
		return this.#refused;
	}

	get slots(): number {
		return this.#limits.slots();
	}

	/** @throws CodedError 100004 when there is no slot in time; the signal's reason when it aborts first. */
	async acquire(signal?: AbortSignal): Promise<Release> {
		signal?.throwIfAborted();
		this.#admitWaiting();
		if (this.#busy < this.slots) return this.#take();
		if (this.#queue.length >= this.#limits.queueMax)
			throw this.#refusal("the queue is full");
		return this.#wait(signal);
	}

	/** What a caller is told who can't be served now. */
	#refusal(why: string): CodedError {
		this.#refused++;
		const turnsAhead = (this.#queue.length + 1) / this.slots;
		const seconds = Math.ceil((turnsAhead * this.#heldMsMean) / 1000);
		return new CodedError("100004", `at capacity, try again later: ${why}`, {
			retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAfterSecondsMax),
		});
	}

	#wait(signal: AbortSignal | undefined): Promise<Release> {
		return new Promise((resolve, reject) => {
			const leave = (error: unknown) => {
				const place = this.#queue.indexOf(waiter);
				if (place < 0) return;
				this.#queue.splice(place, 1);
				waiter.refuse(error);
			};
			const onAbort = () => leave(signal?.reason);
			const timer = setTimeout(
				() => leave(this.#refusal("no free slot in time")),
				this.#limits.queueMsMax,
			);
			const forget = () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", onAbort);
			};
			const waiter: Waiter = {
				admit: () => {
					forget();
					resolve(this.#take()); // now: a newcomer must not slip in between
				},
				refuse: (error) => {
					forget();
					reject(error);
				},
			};
			this.#queue.push(waiter);
			signal?.addEventListener("abort", onAbort, { once: true });
		});
	}

	#take(): Release {
		this.#busy++;
		const since = performance.now();
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			this.#busy--;
			const heldMs = performance.now() - since;
			this.#heldMsMean += newestShare * (heldMs - this.#heldMsMean);
			this.#admitWaiting();
		};
	}

	#admitWaiting(): void {
		while (this.#busy < this.slots) {
			const next = this.#queue.shift();
			if (!next) return;
			next.admit();
		}
	}
}
