/**
 * Admits recognitions: a number of slots, and a short queue with a maximum length and a maximum wait. Beyond either maximum the answer is 100004
 * with an estimate of when to retry.
 *
 * INVARIANTS
 * - Callers share the slots, and the places in the queue as well (fair-share.ts): no single caller holds all of them.
 * - A free slot is given to the waiting caller that holds the fewest; callers that hold equally many take turns.
 * - The device's own recognitions are limited only by the number of slots, and do not queue behind callers.
 */
import { CodedError } from "../errors.js";
import { FairShare } from "../limits/fair-share.js";
import type { Owner } from "../owner.js";
import { localDevice, type RecognitionCaller } from "../session/lane-port.js";

export interface AdmissionLimits {
	/** Recognitions at the same time; read whenever one starts or ends. */
	readonly slots: () => number;
	readonly queueMax: number;
	readonly queueMsMax: number;
	/** Largest share of the slots, and of the places in the queue, that one caller may hold: above 0 to 1. */
	readonly shareMax: number;
}

/** Gives the slot back; idempotent. */
export type Release = () => void;

type Waiter = {
	readonly admit: () => void;
	readonly refuse: (error: unknown) => void;
};

const retryAfterSecondsMax = 60;

/** Weight of the newest recognition in the running mean of how long a slot is held. */
const newestShare = 0.2;

export class Admission {
	readonly #limits: AdmissionLimits;
	/** Slots held by callers, out of those that the device's own recognitions leave. */
	readonly #callers: FairShare<Owner>;
	#own = 0;
	/** Places in the queue. */
	readonly #places: FairShare<RecognitionCaller>;
	/** Ordered by how long ago each caller had its turn, longest first; within a caller, first come first served. */
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

	/** Whether one that gives its slot back and asks again at once gets it: nobody waits for it, and no more are held than there are. */
	mayReturn(caller: RecognitionCaller): boolean {
		if (this.queued > 0 || this.busy > this.slots) return false;
		return caller === localDevice || this.#callers.mayKeep(caller);
	}

	/** @param asksAgain its refusals do not count. @throws CodedError 100004 when no slot is free in time; the signal's reason when it aborts first. */
	async acquire(
		caller: RecognitionCaller,
		signal?: AbortSignal,
		asksAgain = false,
	): Promise<Release> {
		signal?.throwIfAborted();
		this.#admitWaiting();
		if (mayTake(this.#callers, caller)) return this.#take(caller);
		const refusal = (whenFull: string) => {
			if (!asksAgain) this.#refused++;
			return this.#refusal(whenFull);
		};
		if (mayTake(this.#places, caller))
			return this.#wait(caller, signal, () => refusal("no free slot in time"));
		throw refusal(
			this.#places.free === 0
				? "the queue is full"
				: "this caller has as many queued requests as it may have",
		);
	}

	/** The error for a caller that can't be served now. */
	#refusal(whenFull: string): CodedError {
		const why =
			this.#callers.free === 0
				? whenFull
				: "the free slots are reserved for other callers (engine.live_share_max)";
		const turnsAhead = (this.queued + 1) / this.slots;
		const seconds = Math.ceil((turnsAhead * this.#heldMsMean) / 1000);
		return new CodedError("100004", `at capacity, try again later: ${why}`, {
			retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAfterSecondsMax),
		});
	}

	#wait(
		caller: RecognitionCaller,
		signal: AbortSignal | undefined,
		refusal: () => CodedError,
	): Promise<Release> {
		return new Promise((resolve, reject) => {
			const leaveQueue = this.#places.take(caller);
			const waiters = this.#waiting.get(caller) ?? new Set<Waiter>();
			const leave = () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", onAbort);
				leaveQueue();
				waiters.delete(waiter);
				if (waiters.size === 0) this.#waiting.delete(caller);
			};
			const onAbort = () => waiter.refuse(signal?.reason);
			const timer = setTimeout(
				() => waiter.refuse(refusal()),
				this.#limits.queueMsMax,
			);
			const waiter: Waiter = {
				admit: () => {
					leave();
					resolve(this.#take(caller)); // synchronously: a newcomer must not take the slot first
				},
				refuse: (error) => {
					leave();
					reject(error);
				},
			};
			waiters.add(waiter);
			this.#waiting.set(caller, waiters);
			signal?.addEventListener("abort", onAbort, { once: true });
		});
	}

	#take(caller: RecognitionCaller): Release {
		const since = performance.now();
		const giveBack =
			caller === localDevice ? this.#takeOwn() : this.#callers.take(caller);
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
		for (let caller = this.#next(); caller; caller = this.#next()) {
			const waiters = this.#waiting.get(caller) ?? new Set<Waiter>();
			const [first] = waiters;
			first?.admit();
			if (waiters.size === 0) continue;
			this.#waiting.delete(caller); // moves it behind the other callers
			this.#waiting.set(caller, waiters);
		}
	}

	#next(): RecognitionCaller | undefined {
		if (this.#waiting.has(localDevice) && this.#callers.free > 0)
			return localDevice;
		return this.#callers.next(this.#waitingCallers());
	}

	*#waitingCallers(): Generator<Owner> {
		for (const caller of this.#waiting.keys())
			if (caller !== localDevice) yield caller;
	}
}

function mayTake(
	shares: Pick<FairShare<Owner>, "free" | "mayTake">,
	caller: RecognitionCaller,
): boolean {
	return caller === localDevice ? shares.free > 0 : shares.mayTake(caller);
}
