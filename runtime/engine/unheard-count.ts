/** Seconds of speech that a lane's engines gave up, by reason, since the start: for `/metrics`. */
import type { Unheard } from "../models/recognizer.js";

export class UnheardCount {
	readonly #seconds = new Map<string, number>();

	add(unheard: readonly Unheard[] = []): void {
		for (const { why, seconds } of unheard)
			this.#seconds.set(why, (this.#seconds.get(why) ?? 0) + seconds);
	}

	get seconds(): ReadonlyMap<string, number> {
		return this.#seconds;
	}
}
