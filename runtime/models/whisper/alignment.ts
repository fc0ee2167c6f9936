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

/** Scales each position's values to mean 0 and standard deviation 1 over the tokens. */
function normaliseOverRows(
	head: Float32Array,
	rows: number,
	positions: number,
): void {
	for (let p = 0; p < positions; p++) {
		let sum = 0;
		let squares = 0;
		for (let i = p; i < rows * positions; i += positions) {
			const value = head[i] as number;
			sum += value;
			squares += value * value;
		}
		const mean = sum / rows;
		const deviation = Math.sqrt(Math.max(squares / rows - mean * mean, 1e-18));
		for (let i = p; i < rows * positions; i += positions)
			head[i] = ((head[i] as number) - mean) / deviation;
	}
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
	const window = new Float32Array(filterWidth);
	for (let r = 0; r < rows; r++) {
		const row = r * positions;
		for (let p = 0; p < positions; p++) {
			for (let k = 0; k < filterWidth; k++) {
				let at = Math.abs(p + k - reach);
				if (at >= positions) at = Math.max(0, 2 * positions - 2 - at);
				insertSorted(window, k, head[row + at] as number);
			}
			cost[row + p] =
				(cost[row + p] as number) - (window[reach] as number) / heads;
		}
	}
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
