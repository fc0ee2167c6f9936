/** How many messages may be on their way to the broker without its acknowledgement (MQTT 5 section 4.9): a broker that gets more closes the connection. */
export class SendWindow {
	/** As far as the broker names no maximum. */
	#free = 65_535;
	/** Oldest first. */
	readonly #waiting: (() => void)[] = [];

	/** @param max before anything is sent */
	limitTo(max: number): void {
		this.#free = max;
	}

	/** Starts at once where there is room, else when there is; `release` must follow each start. */
	take(start: () => void): void {
		if (this.#free === 0) {
			this.#waiting.push(start);
			return;
		}
		this.#free--;
		start();
	}

	release(): void {
		const next = this.#waiting.shift();
		if (next) next();
		else this.#free++;
	}

	/** Nothing that waits is started any more. */
	close(): void {
		this.#waiting.length = 0;
	}
}
