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

/** Sorted natively, and merged at a time. */
const sortedAtOnce = 500;

/** By their UTF-16 units, as `sort` does without an argument. */
export function* sorting(texts: readonly string[]): Piecewise<string[]> {
	let runs: string[][] = [];
	for (let from = 0; from < texts.length; from += sortedAtOnce) {
		runs.push(texts.slice(from, from + sortedAtOnce).sort());
		yield;
	}
	while (runs.length > 1) {
		const longer: string[][] = [];
		for (let i = 0; i < runs.length; i += 2)
			longer.push(yield* merging(runs[i] ?? [], runs[i + 1] ?? []));
		runs = longer;
	}
	return runs[0] ?? [];
}

function* merging(
	one: readonly string[],
	other: readonly string[],
): Piecewise<string[]> {
	const merged: string[] = [];
	let i = 0;
	let k = 0;
	while (i < one.length || k < other.length) {
		const isFirst =
			k === other.length ||
			(i < one.length && (one[i] as string) <= (other[k] as string));
		merged.push((isFirst ? one[i++] : other[k++]) as string);
		if (merged.length % sortedAtOnce === 0) yield;
	}
	return merged;
}
