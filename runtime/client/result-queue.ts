/**
 * Results between the socket and their reader. It is bounded: when it is full, the oldest unread partials are dropped, since each is replaced by the next; a
 * sentence or the completed result is never dropped.
 */
import type { Result } from "./messages.js";

const unreadMax = 1000;

type End = { readonly error?: unknown };

export class ResultQueue {
	readonly #unread: Result[] = [];
	#end: End | undefined;
	#wake: (() => void) | undefined;

	push(result: Result): void {
		if (this.#unread.length >= unreadMax) this.#forgetOldestPartial();
		this.#unread.push(result);
		this.#wake?.();
	}

	/** No result follows; an error is thrown after the last result. */
	end(end: End = {}): void {
		this.#end ??= end;
		this.#wake?.();
	}

	/** @throws the error that it ended with. */
	async next(): Promise<Result | undefined> {
		for (;;) {
			const result = this.#unread.shift();
			if (result) return result;
			if (this.#end) {
				if ("error" in this.#end) throw this.#end.error;
				return undefined;
			}
			await new Promise<void>((wake) => {
				const others = this.#wake;
				this.#wake = () => {
					others?.();
					wake();
				};
			});
			this.#wake = undefined;
		}
	}

	#forgetOldestPartial(): void {
		const at = this.#unread.findIndex((it) => it.is === "partial");
		if (at >= 0) this.#unread.splice(at, 1);
	}
}
