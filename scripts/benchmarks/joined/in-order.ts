/**
 * How much of each sentence stands in a text, where sentences come more than once: all of them, one after the other, are aligned with the whole text by edit
 * distance (Wagner and Fischer, "The string-to-string correction problem", 1974), so that one that stands elsewhere does not count for this place.
 */

/** What the cheapest way into a cell was. */
const same = 0;
const changed = 1;
const deleted = 2;
const inserted = 3;

/**
 * @param sentences the units of each, in the order in which they were said.
 * @returns 0 to 1 for each: the share of its units that the text has at that place.
 */
export function sharesInOrder(
	sentences: readonly (readonly string[])[],
	text: readonly string[],
): number[] {
	const wanted = sentences.flat();
	const ways = alignment(wanted, text);
	const isThere = new Uint8Array(wanted.length);
	let row = wanted.length;
	let column = text.length;
	while (row > 0 || column > 0) {
		const way = ways[row * (text.length + 1) + column];
		if (way === same) isThere[row - 1] = 1;
		if (way !== inserted) row--;
		if (way !== deleted) column--;
	}
	let at = 0;
	return sentences.map(({ length }) => {
		const own = isThere.subarray(at, at + length);
		at += length;
		return length === 0 ? 1 : own.reduce((sum, it) => sum + it, 0) / length;
	});
}

/** @returns the way into each cell, rows of `text.length + 1`. */
function alignment(
	wanted: readonly string[],
	text: readonly string[],
): Uint8Array {
	const width = text.length + 1;
	const ways = new Uint8Array((wanted.length + 1) * width).fill(
		inserted,
		1,
		width,
	);
	let previous = Int32Array.from({ length: width }, (_, column) => column);
	let current = new Int32Array(width);
	wanted.forEach((unit, index) => {
		const row = index + 1;
		current[0] = row;
		ways[row * width] = deleted;
		for (let column = 1; column < width; column++) {
			const isSame = unit === text[column - 1];
			const diagonal = (previous[column - 1] as number) + (isSame ? 0 : 1);
			const above = (previous[column] as number) + 1;
			const left = (current[column - 1] as number) + 1;
			const least = Math.min(diagonal, above, left);
			current[column] = least;
			ways[row * width + column] =
				least === diagonal
					? isSame
						? same
						: changed
					: least === above
						? deleted
						: inserted;
		}
		[previous, current] = [current, previous];
	});
	return ways;
}
