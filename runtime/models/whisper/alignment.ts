/**
 * When each token was spoken: dynamic time warping over the cross-attention of the alignment heads, as published with Whisper (softmax over the
 * positions that hold audio, normalised over the tokens, median filter of 7, mean over the heads). The result is in encoder positions (20 ms).
 */
const filterWidth = 7;

export interface AttentionShape {
	readonly heads: number;
	/** Rows of the attention, one per input token. */
	readonly rows: number;
	/** Encoder positions. */
	readonly positions: number;
	/** Rows to align: row i attends to where the next input token is spoken. */
	readonly rowStart: number;
	readonly rowEnd: number;
	/** Positions that hold audio; those after them are padding. */
	readonly positionsUsed: number;
}

/**
 * @param attention [heads, rows, positions], each row a distribution.
 * @returns for each aligned row the position at which its token begins, and a last entry for where the last token ends. Never decreasing.
 */
export function tokenStarts(
	attention: Float32Array,
	shape: AttentionShape,
): Float32Array {
	const rows = shape.rowEnd - shape.rowStart;
	const cost = alignmentCost(attention, shape);
	return pathStarts(cost, rows, shape.positionsUsed);
}

/** Mean over the heads of the filtered, normalised attention, negated: [aligned rows, positionsUsed]. */
function alignmentCost(
	attention: Float32Array,
	shape: AttentionShape,
): Float32Array {
	const { heads, rows, positions, rowStart, rowEnd, positionsUsed } = shape;
	const count = rowEnd - rowStart;
	const cost = new Float32Array(count * positionsUsed);
	const head = new Float32Array(count * positionsUsed);
	for (let h = 0; h < heads; h++) {
		for (let r = 0; r < count; r++) {
			const from = (h * rows + rowStart + r) * positions;
			let sum = 0;
			for (let p = 0; p < positionsUsed; p++)
				sum += attention[from + p] as number;
			for (let p = 0; p < positionsUsed; p++)
				head[r * positionsUsed + p] = (attention[from + p] as number) / sum;
		}
		normaliseOverRows(head, count, positionsUsed);
		subtractFiltered(head, count, positionsUsed, heads, cost);
	}
	return cost;
}

/** Scales each position's values to mean 0 and standard deviation 1 over the tokens; row by row, as they lie in memory. */
function normaliseOverRows(
	head: Float32Array,
	rows: number,
	positions: number,
): void {
	const means = new Float64Array(positions);
	const deviations = new Float64Array(positions);
	for (let i = 0; i < rows * positions; i += positions)
		for (let p = 0; p < positions; p++) {
			const value = head[i + p] as number;
			means[p] = (means[p] as number) + value;
			deviations[p] = (deviations[p] as number) + value * value;
		}
	for (let p = 0; p < positions; p++) {
		const mean = (means[p] as number) / rows;
		const squares = (deviations[p] as number) / rows;
		means[p] = mean;
		deviations[p] = Math.sqrt(Math.max(squares - mean * mean, 1e-18));
	}
	for (let i = 0; i < rows * positions; i += positions)
		for (let p = 0; p < positions; p++)
			head[i + p] =
				((head[i + p] as number) - (means[p] as number)) /
				(deviations[p] as number);
}

/** Subtracts a head's share, median-filtered along time (mirrored at the ends), from the cost. */
function subtractFiltered(
	head: Float32Array,
	rows: number,
	positions: number,
	heads: number,
	cost: Float32Array,
): void {
	const reach = (filterWidth - 1) / 2;
	/** Sorted values around a position. */
	const window = new Float32Array(filterWidth);
	for (let row = 0; row < rows * positions; row += positions) {
		for (let p = 0; p < positions; p++) {
			const leaving = head[row + mirrored(p - 1 - reach, positions)] as number;
			const entering = head[row + mirrored(p + reach, positions)] as number;
			if (p === 0 || !exchange(window, leaving, entering))
				for (let k = 0; k < filterWidth; k++) {
					const at = row + mirrored(p + k - reach, positions);
					insertSorted(window, k, head[at] as number);
				}
			cost[row + p] =
				(cost[row + p] as number) - (window[reach] as number) / heads;
		}
	}
}

function mirrored(position: number, positions: number): number {
	const at = Math.abs(position);
	return at < positions ? at : Math.max(0, 2 * positions - 2 - at);
}

/** Replaces a value of the window, which stays sorted. @returns false where it is not found, as no NaN is. */
function exchange(
	sorted: Float32Array,
	leaving: number,
	entering: number,
): boolean {
	let i = 0;
	while (i < filterWidth && sorted[i] !== leaving) i++;
	if (i === filterWidth) return false;
	for (; i + 1 < filterWidth && (sorted[i + 1] as number) < entering; i++)
		sorted[i] = sorted[i + 1] as number;
	for (; i > 0 && (sorted[i - 1] as number) > entering; i--)
		sorted[i] = sorted[i - 1] as number;
	sorted[i] = entering;
	return true;
}

function insertSorted(
	sorted: Float32Array,
	length: number,
	value: number,
): void {
	let i = length;
	for (; i > 0 && (sorted[i - 1] as number) > value; i--)
		sorted[i] = sorted[i - 1] as number;
	sorted[i] = value;
}

/** The cheapest monotone path through the cost matrix, as the position where it enters each row. */
function pathStarts(
	cost: Float32Array,
	rows: number,
	positions: number,
): Float32Array {
	const width = positions + 1;
	const total = new Float64Array((rows + 1) * width).fill(
		Number.POSITIVE_INFINITY,
	);
	/** Predecessor of each cell. 0: previous row and position, 1: previous row, 2: previous position. */
	const from = new Uint8Array((rows + 1) * width);
	total[0] = 0;
	for (let r = 1; r <= rows; r++) {
		for (let p = 1; p <= positions; p++) {
			const both = total[(r - 1) * width + p - 1] as number;
			const row = total[(r - 1) * width + p] as number;
			const position = total[r * width + p - 1] as number;
			let best = both;
			let step = 0;
			if (row < best && row < position) {
				best = row;
				step = 1;
			} else if (position < best) {
				best = position;
				step = 2;
			}
			total[r * width + p] =
				best + (cost[(r - 1) * positions + p - 1] as number);
			from[r * width + p] = step;
		}
	}
	const starts = new Float32Array(rows + 1);
	starts[rows] = positions;
	for (let r = rows, p = positions; r > 0 && p > 0; ) {
		starts[r - 1] = p - 1;
		const step = from[r * width + p];
		if (step !== 2) r--;
		if (step !== 1) p--;
	}
	return starts;
}
