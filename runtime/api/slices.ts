/** Work on many items that lets other requests have their turn: nothing holds the event loop for longer than a few milliseconds. */
import { setImmediate as nextTurn } from "node:timers/promises";

const sliceMs = 3;
/** So many are not done in what is left of somebody else's turn. */
const manyItems = 1000;
/** Looking at the clock costs as much as an item or two. */
const itemsBetweenLooks = 32;

export async function inSlices<T>(
	items: readonly T[],
	act: (item: T) => void,
): Promise<void> {
	const areMany = items.length >= manyItems;
	if (areMany) await nextTurn();
	let since = performance.now();
	let untilLook = itemsBetweenLooks;
	for (const item of items) {
		act(item);
		if (--untilLook > 0) continue;
		untilLook = itemsBetweenLooks;
		if (performance.now() - since < sliceMs) continue;
		await nextTurn();
		since = performance.now();
	}
	if (areMany) await nextTurn();
}
