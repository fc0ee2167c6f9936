/**
 * Long work in pieces. Each `yield` is a place where somebody else may have the turn; whoever owns the event loop decides how much is done between two
 * (the rooms know no timers). Pieces take well under a millisecond.
 */
export type Piecewise<Made> = Generator<void, Made, void>;

/** For callers whom nobody waits beside. */
export function atOnce<Made>(work: Piecewise<Made>): Made {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** @param each one thing of the work; `size` of them make a piece. */
export function* inPieces<Thing>(
	things: Iterable<Thing>,
	size: number,
	each: (thing: Thing, index: number) => void,
): Piecewise<void> {
	let index = 0;
	for (const thing of things) {
		each(thing, index++);
		if (index % size === 0) yield;
	}
}
