/**
 * Takes a client's messages one by one and in order, at most a few milliseconds of work in one turn of the event loop: one read of a socket may bring ten
 * thousand of them. Messages that have to wait hold the socket, so that no more than was read already is kept.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { sliceMs } from "../../../event-loop/slices.js";

export class Inbox {
	/** @returns a promise where a message takes longer; it never rejects. */
	readonly #handle: (text: string) => Promise<void> | undefined;
	readonly #hold: () => void;
	readonly #release: () => void;
	readonly #waiting: string[] = [];
	#isBusy = false;
	#isClosed = false;
	/** When this turn of the loop began to handle messages. */
	#sinceMs: number | undefined;

	constructor(
		handle: (text: string) => Promise<void> | undefined,
		{
			hold,
			release,
		}: { readonly hold: () => void; readonly release: () => void },
	) {
		this.#handle = handle;
		this.#hold = hold;
		this.#release = release;
	}

	accept(text: string): void {
		if (this.#isClosed) return;
		if (this.#isBusy) {
			this.#waiting.push(text);
			return;
		}
		if (this.#isSliceOver()) {
			this.#waiting.push(text);
			void this.#work(undefined);
			return;
		}
		const pending = this.#handle(text);
		if (pending) void this.#work(pending);
	}

	/** No message is handled before that has ended. @param begun never rejects */
	waitFor(begun: Promise<void>): void {
		void this.#work(begun);
	}

	/** Nothing that waits is handled any more. */
	close(): void {
		this.#isClosed = true;
		this.#waiting.length = 0;
	}

	/** Handles what waits, between other turns of the loop. @param pending what has to end first */
	async #work(pending: Promise<void> | undefined): Promise<void> {
		this.#isBusy = true;
		this.#hold();
		await pending;
		for (;;) {
			if (this.#isSliceOver()) await nextTurn();
			const text = this.#waiting.shift();
			if (text === undefined) break;
			await this.#handle(text);
		}
		this.#isBusy = false;
		this.#release();
	}

	#isSliceOver(): boolean {
		if (this.#sinceMs === undefined) {
			this.#sinceMs = performance.now();
			setImmediate(() => {
				this.#sinceMs = undefined;
			});
			return false;
		}
		return performance.now() - this.#sinceMs > sliceMs;
	}
}
