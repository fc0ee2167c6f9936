/** Runs long work without blocking other requests: the event loop is never held for longer than a few milliseconds. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Piecewise } from "./piecewise.js";

/** How long work may hold the event loop, where nothing speaks for another time. */
export const sliceMs = 3;
/** From this many items on, the work begins in a fresh turn of the event loop. */
const manyItems = 1000;
/** Reading the clock costs as much as an item or two; the slowest items take a millisecond each. */
const itemsBetweenChecks = 8;

/** A time in which work goes on without a turn of the event loop. */
export class Slice {
	readonly #ms: number;
	#sinceMs = performance.now();

	constructor(ms = sliceMs) {
		this.#ms = ms;
	}

	get isOver(): boolean {
		return performance.now() - this.#sinceMs >= this.#ms;
	}

	/** Resolves in a later turn of the event loop, where the next slice begins. */
	async next(): Promise<void> {
		await yieldToEventLoop();
		this.#sinceMs = performance.now();
	}
}

export async function inSlices<T>(
	items: readonly T[],
	act: (item: T) => void,
): Promise<void> {
	const areMany = items.length >= manyItems;
	if (areMany) await yieldToEventLoop();
	const slice = new Slice();
	let untilCheck = itemsBetweenChecks;
	for (const item of items) {
		act(item);
		if (--untilCheck > 0) continue;
		untilCheck = itemsBetweenChecks;
		if (slice.isOver) await slice.next();
	}
	if (areMany) await yieldToEventLoop();
}

/** Work that fits into one slice does not yield. */
export async function finishInSlices<Made>(
	work: Piecewise<Made>,
): Promise<Made> {
	const slice = new Slice();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		if (slice.isOver) await slice.next();
	}
}
