/** A queue whose first items are dropped one by one, thousands of them, without the others being moved each time. */
export class DropQueue<T> {
	#items: (T | undefined)[] = [];
	/** Those before it were dropped. */
	#first = 0;

	get length(): number {
		return this.#items.length - this.#first;
	}

	/** @param index from the first item on. */
	at(index: number): T | undefined {
		return this.#items[this.#first + index];
	}

	push(item: T): void {
		this.#items.push(item);
	}

	/** Drops the first item. @returns it; undefined where there is none. */
	shift(): T | undefined {
		if (this.length === 0) return undefined;
		const item = this.#items[this.#first];
		this.#items[this.#first] = undefined; // its memory is free at once
		this.#first++;
		if (this.#first * 2 > this.#items.length) {
			this.#items.splice(0, this.#first);
			this.#first = 0;
		}
		return item;
	}

	clear(): void {
		this.#items = [];
		this.#first = 0;
	}
}
