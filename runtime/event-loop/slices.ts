/** Runs long work without blocking other requests: the event loop is never held for longer than a few milliseconds, however many have long work. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { inPieces, type Piecewise } from "./piecewise.js";
import { SharedTurn } from "./shared-turn.js";

/** How long work may hold the event loop, where nothing speaks for another time. */
export const sliceMs = 3;
/** From this many items on, the work begins in a fresh turn of the event loop. */
const manyItems = 1000;
/** Reading the clock costs as much as an item or two; the slowest items take a millisecond each. */
const itemsBetweenChecks = 8;
/** Characters of JSON that take as long as most items. */
const unitsOfItem = 64;

/** The same of a slice, for who handles messages until it is over: what is shorter goes first, and they go on in turn. */
export const unitsOfSlice = 16 * 1024;

/** Of this process. */
export const sharedTurn = new SharedTurn(sliceMs);

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

export interface WorkFacts {
	/** What there is to do, as characters of JSON that take as long; where nobody knows, it is taken for much. */
	readonly units?: number;
	/** The work ends with it: nobody waits for what is made. */
	readonly signal?: AbortSignal | undefined;
}

export async function inSlices<T>(
	items: readonly T[],
	act: (item: T) => void,
): Promise<void> {
	const areMany = items.length >= manyItems;
	if (areMany) await yieldToEventLoop();
	await finishInSlices(inPieces(items, itemsBetweenChecks, act), {
		units: items.length * unitsOfItem,
	});
	if (areMany) await yieldToEventLoop();
}

/**
 * Work that fits into what is left of this turn's slice does not yield. All work together has one slice of each turn (shared-turn.ts).
 *
 * @throws what the work throws; the reason of the signal.
 */
export async function finishInSlices<Made>(
	work: Piecewise<Made>,
	{ units = Number.POSITIVE_INFINITY, signal }: WorkFacts = {},
): Promise<Made> {
	const place = sharedTurn.place(units);
	for (;;) {
		if (sharedTurn.isOver) await sharedTurn.wait(place, signal);
		const { done, value } = work.next();
		if (done) return value;
		place.hasBegun = true;
	}
}
