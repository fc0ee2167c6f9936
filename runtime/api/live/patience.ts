/**
 * How long a client may keep us waiting. Not the client's time: ours. While the client is held back, or before what has come meanwhile was looked at
 * (this process may have been busy, or asleep), nobody is late.
 */
export class Patience {
	readonly #onEnd: () => void;
	readonly #isHeldBack: () => boolean;
	#timer: NodeJS.Timeout | undefined;
	#seconds = 0;
	/** Counts every new wait, so that an old one's end is known as such. */
	#waits = 0;

	constructor(onEnd: () => void, isHeldBack: () => boolean) {
		this.#onEnd = onEnd;
		this.#isHeldBack = isHeldBack;
	}

	/** From now on, so long. Called for each frame: a running timer is only pushed back. */
	begin(seconds: number): void {
		this.#waits++;
		if (this.#timer && this.#seconds === seconds) {
			this.#timer.refresh();
			return;
		}
		clearTimeout(this.#timer);
		this.#seconds = seconds;
		this.#timer = setTimeout(() => this.#onTimer(), seconds * 1000);
	}

	end(): void {
		this.#waits++;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#onTimer(): void {
		if (this.#isHeldBack()) {
			this.#timer?.refresh();
			return;
		}
		const wait = this.#waits;
		// sockets are read between timers and this
		setImmediate(() => {
			if (wait === this.#waits) this.#onEnd();
		});
	}
}
