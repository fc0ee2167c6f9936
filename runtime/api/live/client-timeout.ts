/**
 * How long a client may keep us waiting. Not the client's time: ours. While the client is held back, or before what has come meanwhile was looked at
 * (this process may have been busy, or asleep), nobody is late.
 */
import { WaitBudget } from "./pace.js";

export class ClientTimeout {
	readonly #onEnd: (slow: boolean) => void;
	readonly #isHeldBack: () => boolean;
	readonly #budget = new WaitBudget();
	#timer: NodeJS.Timeout | undefined;
	#secondsMax = 0;
	#extendedMs = Number.NEGATIVE_INFINITY;

	/** @param onEnd told whether something came in the last such wait, but too little. */
	constructor(onEnd: (slow: boolean) => void, isHeldBack: () => boolean) {
		this.#onEnd = onEnd;
		this.#isHeldBack = isHeldBack;
	}

	/** From now on, so long. */
	begin(seconds: number): void {
		this.#secondsMax = seconds;
		this.#budget.begin(performance.now(), seconds);
		this.#arm();
	}

	/** So much longer, but no longer than it began with. Called for each frame: the running timer is left alone. */
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
		// sockets are read between timers and this
		setImmediate(() => {
			if (timer !== this.#timer) return; // ended, or begun anew
			const nowMs = performance.now();
			if (this.#budget.leftMs(nowMs) > 0) this.#arm();
			else this.#onEnd(nowMs - this.#extendedMs < this.#secondsMax * 1000);
		});
	}
}
