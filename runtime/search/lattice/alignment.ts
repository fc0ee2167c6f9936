/**
 * Aligns two sequences, at the least cost. Rows are what was heard, columns what is written.
 */

/** Positions that belong together; -1 where one side has none. */
export interface AlignedPair {
	readonly row: number;
	readonly column: number;
}

/** What an element without a partner costs. */
export const unpairedCost = 0.75;

/** Positions are partners only so near to the diagonal, beside the difference in length: otherwise long texts take too long. */
const bandMin = 32;

const both = 0;
const rowOnly = 1;
const columnOnly = 2;

/** Writes what pairing a row with the columns `[from, to)` costs, 0 to 1 each, into `costs` (by column). */
export type RowCosts = (
	row: number,
	from: number,
	to: number,
	costs: Float32Array,
) => void;

/**
 * @param extraRowCosts of a row without a partner: before the first column, behind the first one, and so on.
 * @returns all rows and columns, each in order.
 */
export function align(
	rows: number,
	columns: number,
	rowCosts: RowCosts,
	extraRowCosts = new Float32Array(columns + 1).fill(unpairedCost),
): AlignedPair[] {
	const costs = new Float32Array(columns);
	const width = columns + 1;
	const moves = new Uint8Array((rows + 1) * width).fill(columnOnly, 1, width);
	let above = Float64Array.from({ length: width }, (_, i) => i * unpairedCost);
	let here = new Float64Array(width);
	let aboveTo = columns;
	const band = bandMin + Math.abs(rows - columns);
	for (let row = 1; row <= rows; row++) {
		const diagonal = Math.round((row * columns) / rows);
		const from = Math.max(0, diagonal - band);
		const to = Math.min(columns, diagonal + band);
		if (from > 0) here[from - 1] = Number.POSITIVE_INFINITY;
		// the row above ends before this one
		if (to > aboveTo) above.fill(Number.POSITIVE_INFINITY, aboveTo + 1, to + 1);
		aboveTo = to;
		rowCosts(row - 1, Math.max(0, from - 1), to, costs);
		for (let column = from; column <= to; column++) {
			let least = (above[column] as number) + (extraRowCosts[column] as number);
			let move = rowOnly;
			if (column > 0) {
				const paired =
					(above[column - 1] as number) + (costs[column - 1] as number);
				if (paired <= least) {
					least = paired;
					move = both;
				}
				const without = (here[column - 1] as number) + unpairedCost;
				if (without < least) {
					least = without;
					move = columnOnly;
				}
			}
			here[column] = least;
			moves[row * width + column] = move;
		}
		[above, here] = [here, above];
	}
	return pairsOf(moves, rows, columns);
}

function pairsOf(
	moves: Uint8Array,
	rows: number,
	columns: number,
): AlignedPair[] {
	const pairs: AlignedPair[] = [];
	let row = rows;
	let column = columns;
	while (row > 0 || column > 0) {
		const move = moves[row * (columns + 1) + column];
		if (move !== columnOnly) row--;
		if (move !== rowOnly) column--;
		pairs.push({
			row: move === columnOnly ? -1 : row,
			column: move === rowOnly ? -1 : column,
		});
	}
	return pairs.reverse();
}

/** Where two sequences differ: `[from, to)` of the one is `[otherFrom, otherTo)` of the other. */
export interface DifferingSpan {
	readonly from: number;
	readonly to: number;
	readonly otherFrom: number;
	readonly otherTo: number;
}

/** Neighbouring differences are one span. */
export function differingSpans(
	one: readonly string[],
	other: readonly string[],
): DifferingSpan[] {
	const spans: DifferingSpan[] = [];
	let [from, to, otherFrom, otherTo] = [0, 0, 0, 0];
	const end = () => {
		if (to > from || otherTo > otherFrom)
			spans.push({ from, to, otherFrom, otherTo });
	};
	const pairs = align(one.length, other.length, equalityCosts(one, other));
	for (const { row, column } of pairs) {
		if (row >= 0) to++;
		if (column >= 0) otherTo++;
		if (row < 0 || column < 0 || one[row] !== other[column]) continue;
		to--;
		otherTo--;
		end();
		from = ++to;
		otherFrom = ++otherTo;
	}
	end();
	return spans;
}

/** 0 for equal texts, 1 for others. */
function equalityCosts(
	one: readonly string[],
	other: readonly string[],
): RowCosts {
	return (row, from, to, costs) => {
		for (let column = from; column < to; column++)
			costs[column] = one[row] === other[column] ? 0 : 1;
	};
}
