/**
 * Who may recognise now: a number of slots, and a short queue with a maximum length and a maximum wait. Never an unbounded queue: past
 * either maximum the answer is 100004, with a guess at when to come back.
 *
 * INVARIANTS
 * - Callers share the slots, and the places in the queue as well (fair-share.ts): no one of them holds all.
 * - When a slot is free, the caller that waits and holds fewest gets it; among equals they take turns.
 * - What the device does of its own accord is bounded by the slots alone, and waits behind nobody.
 */
import { CodedError } from "../errors.js";
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import { localDevice, type RecognitionCaller } from "../session/lane-port.js";

export interface AdmissionLimits {
	/** Recognitions at the same time; asked whenever somebody comes or goes. */
	readonly slots: () => number;
	readonly queueMax: number;
	readonly queueMsMax: number;
	/** Of the slots, and of the places in the queue, one caller holds so much at most: above 0 to 1. */
	readonly shareMax: number;
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
	/** Slots that callers hold, of those that the device's own recognitions leave. */
	readonly #callers: FairShare<Owner>;
	#own = 0;
	/** Places in the queue. */
	readonly #places: FairShare<RecognitionCaller>;
	/** The caller first whose turn was longest ago; of each the one first who came first. */
	readonly #waiting = new Map<RecognitionCaller, Set<Waiter>>();
	#heldMsMean = 1000;
	#refused = 0;

	constructor(limits: AdmissionLimits) {
		this.#limits = limits;
		const { shareMax } = limits;
		this.#callers = new FairShare(() => limits.slots() - this.#own, shareMax);
		this.#places = new FairShare(() => limits.queueMax, shareMax);
	}

	get busy(): number {
		return this.#own + this.#callers.taken;
	}

	get queued(): number {
		return this.#places.taken;
	}

	get refused(): number {
		return this.#refused;
	}

	get slots(): number {
		return this.#limits.slots();
	}

	/** @throws CodedError 100004 when there is no slot in time; the signal's reason when it aborts first. */
	async acquire(
		asker: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<Release> {
		signal?.throwIfAborted();
		this.#admitWaiting();
		if (mayTake(this.#callers, asker)) return this.#take(asker);
		if (mayTake(this.#places, asker)) return this.#wait(asker, signal);
		throw this.#refusal(
			this.#places.free === 0
				? "the queue is full"
				: "as many of this caller's requests wait as may",
		);
	}

	/** What a caller is told who can't be served now. */
	#refusal(whenFull: string): CodedError {
		this.#refused++;
		const why =
			this.#callers.free === 0
				? whenFull
				: "what is free is kept for other callers (engine.live_share_max)";
		const turnsAhead = (this.queued + 1) / this.slots;
		const seconds = Math.ceil((turnsAhead * this.#heldMsMean) / 1000);
		return new CodedError("100004", `at capacity, try again later: ${why}`, {
			retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAfterSecondsMax),
		});
	}

	#wait(
		asker: RecognitionCaller,
		signal: AbortSignal | undefined,
	): Promise<Release> {
		return new Promise((resolve, reject) => {
			const leaveQueue = this.#places.take(asker);
			const waiters = this.#waiting.get(asker) ?? new Set<Waiter>();
			const leave = () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", onAbort);
				leaveQueue();
				waiters.delete(waiter);
				if (waiters.size === 0) this.#waiting.delete(asker);
			};
			const onAbort = () => waiter.refuse(signal?.reason);
			const timer = setTimeout(
				() => waiter.refuse(this.#refusal("no free slot in time")),
				this.#limits.queueMsMax,
			);
			const waiter: Waiter = {
				admit: () => {
					leave();
					resolve(this.#take(asker)); // now: a newcomer must not slip in between
				},
				refuse: (error) => {
					leave();
					reject(error);
				},
			};
			waiters.add(waiter);
			this.#waiting.set(asker, waiters);
			signal?.addEventListener("abort", onAbort, { once: true });
		});
	}

	#take(asker: RecognitionCaller): Release {
		const since = performance.now();
		const giveBack =
			asker === localDevice ? this.#takeOwn() : this.#callers.take(asker);
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			giveBack();
			const heldMs = performance.now() - since;
			this.#heldMsMean += newestShare * (heldMs - this.#heldMsMean);
			this.#admitWaiting();
		};
	}

	#takeOwn(): Release {
		this.#own++;
		return () => {
			this.#own--;
		};
	}

	#admitWaiting(): void {
		for (let asker = this.#next(); asker; asker = this.#next()) {
			const waiters = this.#waiting.get(asker) ?? new Set<Waiter>();
			const [first] = waiters;
			first?.admit();
			if (waiters.size === 0) continue;
			this.#waiting.delete(asker); // and behind the others
			this.#waiting.set(asker, waiters);
		}
	}

	#next(): RecognitionCaller | undefined {
		if (this.#waiting.has(localDevice) && this.#callers.free > 0)
			return localDevice;
		return this.#callers.next(this.#waitingCallers());
	}

	*#waitingCallers(): Generator<Owner> {
		for (const asker of this.#waiting.keys())
			if (asker !== localDevice) yield asker;
	}
}

function mayTake(
	shares: Pick<FairShare<Owner>, "free" | "mayTake">,
	asker: RecognitionCaller,
): boolean {
	return asker === localDevice ? shares.free > 0 : shares.mayTake(asker);
}
