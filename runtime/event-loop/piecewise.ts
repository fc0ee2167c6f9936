/**
 * Long work in pieces. At each `yield` the caller may yield to the event loop; the caller decides how many pieces to run in between
 * (this code uses no timers). Pieces take well under a millisecond.
 */
export type Piecewise<Made> = Generator<void, Made, void>;

/** For callers that may block the event loop. */
export function atOnce<Made>(work: Piecewise<Made>): Made {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** @param each processes one item; `size` items are a piece. */
export function* inPieces<Item>(
	items: Iterable<Item>,
	size: number,
	each: (item: Item, index: number) => void,
): Piecewise<void> {
	let index = 0;
	for (const item of items) {
		each(item, index++);
		if (index % size === 0) yield;
	}
}

/** Items sorted natively, or merged, per piece. */
const sortedAtOnce = 500;

/** In the order of UTF-16 units, like `sort` without a comparator. */
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
