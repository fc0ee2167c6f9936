/** Long work that lets other requests have their turn: nothing holds the event loop for longer than a few milliseconds. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Piecewise } from "./piecewise.js";

const sliceMs = 3;
/** So many are not done in what is left of somebody else's turn. */
const manyItems = 1000;
/** Looking at the clock costs as much as an item or two; the worst items take a millisecond each. */
const itemsBetweenLooks = 8;

export async function inSlices<T>(
	items: readonly T[],
	act: (item: T) => void,
): Promise<void> {
	const areMany = items.length >= manyItems;
	if (areMany) await yieldToEventLoop();
	let since = performance.now();
	let untilLook = itemsBetweenLooks;
	for (const item of items) {
		act(item);
		if (--untilLook > 0) continue;
		untilLook = itemsBetweenLooks;
		if (performance.now() - since < sliceMs) continue;
		await yieldToEventLoop();
		since = performance.now();
	}
	if (areMany) await yieldToEventLoop();
}

/** What is done within one slice takes no turn of its own. */
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
