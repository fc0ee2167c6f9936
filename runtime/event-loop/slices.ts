/** Runs long work without blocking other requests: the event loop is never held for longer than a few milliseconds. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Piecewise } from "./piecewise.js";

const sliceMs = 3;
/** From this many items on, the work begins in a fresh turn of the event loop. */
const manyItems = 1000;
/** Reading the clock costs as much as an item or two; the slowest items take a millisecond each. */
const itemsBetweenChecks = 8;

export async function inSlices<T>(
	items: readonly T[],
	act: (item: T) => void,
): Promise<void> {
	const areMany = items.length >= manyItems;
	if (areMany) await yieldToEventLoop();
	let since = performance.now();
	let untilCheck = itemsBetweenChecks;
	for (const item of items) {
		act(item);
		if (--untilCheck > 0) continue;
		untilCheck = itemsBetweenChecks;
		if (performance.now() - since < sliceMs) continue;
		await yieldToEventLoop();
		since = performance.now();
	}
	if (areMany) await yieldToEventLoop();
}

/** Work that fits into one slice does not yield. */
export async function finishInSlices<Made>(
	work: Piecewise<Made>,
): Promise<Made> {
	let since = performance.now();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		if (performance.now() - since < sliceMs) continue;
		await yieldToEventLoop();
		since = performance.now();
	}
}
