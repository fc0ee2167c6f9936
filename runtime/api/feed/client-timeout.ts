/**
 * Timeout for a silent client. It counts only time in which the client could have sent something: not while the socket is held, and not before input that has
 * already arrived is processed (this process may have been busy or suspended).
 */
import { sharedTurn } from "../../event-loop/slices.js";
import { WaitBudget } from "./pace.js";

/** Without audio, or with less than a hundredth of real time, a slot is given back after this time. */
export const silentSecondsMax = 10;

export class ClientTimeout {
	readonly #onEnd: (slow: boolean) => void;
	readonly #isHeldBack: () => boolean;
	readonly #behindArrived: (act: () => void) => void;
	readonly #budget = new WaitBudget();
	#timer: NodeJS.Timeout | undefined;
	#secondsMax = 0;
	#extendedMs = Number.NEGATIVE_INFINITY;

	/**
	 * @param onEnd `slow`: audio came during the last such wait, but too little.
	 * @param behindArrived acts when what was read from the socket is handled.
	 */
	constructor(
		onEnd: (slow: boolean) => void,
		isHeldBack: () => boolean,
		behindArrived = (act: () => void) => act(),
	) {
		this.#onEnd = onEnd;
		this.#isHeldBack = isHeldBack;
		this.#behindArrived = behindArrived;
	}

	/** Starts the timeout. */
	begin(seconds: number): void {
		this.#secondsMax = seconds;
		this.#budget.begin(performance.now(), seconds);
		this.#arm();
	}

	/** Extends it, at most to the length that it began with. Called for each frame: the running timer is left alone. */
	extend(seconds: number): void {
		this.#extendedMs = performance.now();
		this.#budget.extend(this.#extendedMs, seconds);
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#arm(): void {
		clearTimeout(this.#timer);
		const leftMs = Math.ceil(this.#budget.leftMs(performance.now()));
		const timer = setTimeout(() => this.#onTimer(timer), leftMs);
		this.#timer = timer;
	}

	#onTimer(timer: NodeJS.Timeout): void {
		if (this.#isHeldBack()) this.#budget.renew(performance.now());
		if (this.#budget.leftMs(performance.now()) > 0) {
			this.#arm();
			return;
		}
		// sockets are read between timers and setImmediate; what was read may wait for a slice
		setImmediate(() => {
			const judge = () => this.#behindArrived(() => this.#judge(timer));
			if (!sharedTurn.isOver) judge();
			else sharedTurn.enter(sharedTurn.place(Number.POSITIVE_INFINITY), judge);
		});
	}

	#judge(timer: NodeJS.Timeout): void {
		if (timer !== this.#timer) return; // ended, or begun anew
		const nowMs = performance.now();
		if (this.#budget.leftMs(nowMs) > 0) this.#arm();
		else this.#onEnd(nowMs - this.#extendedMs < this.#secondsMax * 1000);
	}
}
