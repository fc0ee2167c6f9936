/**
 * A queue of events with one reader. Its length is bounded by what it carries: a few events per segment, and of replaceable events only the newest is kept.
 */
type Ending = { readonly error?: unknown };

type Waiter<T> = {
	readonly resolve: (result: IteratorResult<T, undefined>) => void;
	readonly reject: (error: unknown) => void;
};

export class EventStream<T> implements AsyncIterable<T> {
	readonly #events: T[] = [];
	readonly #onLeave: () => void;
	#waiter: Waiter<T> | undefined;
	#ending: Ending | undefined;

	/** @param onLeave the reader stopped reading before the end. */
	constructor(onLeave: () => void) {
		this.#onLeave = onLeave;
	}

	/** The reader has read all, and waits for more. */
	get isRead(): boolean {
		return this.#waiter !== undefined;
	}

	push(event: T): void {
		if (this.#ending) return;
		const waiter = this.#takeWaiter();
		if (waiter) waiter.resolve({ done: false, value: event });
		else this.#events.push(event);
	}

	/** Replaces the last event, if it is unread and may be replaced; otherwise appends. */
	replaceLast(event: T, mayBeReplaced: (last: T) => boolean): void {
		const last = this.#events.at(-1);
		if (!this.#ending && last !== undefined && mayBeReplaced(last))
			this.#events.pop();
		this.push(event);
	}

	end(): void {
		this.#close({});
	}

	/** The reader gets what was pushed before, then the error. */
	fail(error: unknown): void {
		this.#close({ error });
	}

	[Symbol.asyncIterator](): AsyncIterator<T, undefined> {
		return {
			next: () => this.#next(),
			return: () => {
				const early = !this.#ending;
				this.#events.length = 0;
				this.end();
				if (early) this.#onLeave();
				return Promise.resolve({ done: true, value: undefined });
			},
		};
	}

	#next(): Promise<IteratorResult<T, undefined>> {
		const event = this.#events.shift();
		if (event !== undefined)
			return Promise.resolve({ done: false, value: event });
		return new Promise((resolve, reject) => {
			this.#waiter = { resolve, reject };
			this.#settle();
		});
	}

	#close(ending: Ending): void {
		if (this.#ending) return;
		this.#ending = ending;
		this.#settle();
	}

	/** Settles a waiting reader. An error is reported once; the end as often as asked. */
	#settle(): void {
		if (!this.#ending) return;
		const waiter = this.#takeWaiter();
		if (!waiter) return;
		if ("error" in this.#ending) {
			waiter.reject(this.#ending.error);
			this.#ending = {};
		} else waiter.resolve({ done: true, value: undefined });
	}

	#takeWaiter(): Waiter<T> | undefined {
		const waiter = this.#waiter;
		this.#waiter = undefined;
		return waiter;
	}
}
