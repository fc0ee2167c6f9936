/**
 * Rows of scores of a vocabulary, as a graph returned them. For the likeliest token of each row they are searched where they are, if the runtime can do that: a
 * matrix of 40,000 tokens by hundreds of rows is copied only for searches that look at more.
 */

import {
	likeliest,
	likeliestOne,
	logHalf,
	logSumOf,
} from "../../search/log-probability.js";
import {
	elementCount,
	type LikeliestOfRows,
	type Tensor,
	tokensOfRowMax,
	type WantedRows,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";

/** By row. */
export interface RowTokens {
	/** The likeliest token. */
	readonly tokens: Int32Array;
	/** Natural logarithm of its probability; not of rows of the blank. */
	readonly logps: Float32Array;
}

/** Behind a graph's softmax the exponentials of a row sum up to one. */
const normalizedWithin = 1e-3;

export interface ScoreTable {
	/** Scores of a row. */
	readonly width: number;
	/**
	 * The likeliest token of each row, and how likely it is. Where the scores are normalized, which one row shows for all, no sums are needed.
	 * @param blank rows of which it is the likeliest token need no probability; absent: there is no such token.
	 * @throws ModelFault when damaged weights made the scores infinite
	 */
	likeliest(first: number, end: number, blank?: number): RowTokens;
	/** All of them: [rows, width]. @throws ModelFault when damaged weights made them infinite */
	readonly values: Float32Array;
}

/** Scores of one row, in the table's memory. */
export function rowOf(
	{ values, width }: Pick<ScoreTable, "values" | "width">,
	row: number,
): Float32Array {
	return values.subarray(row * width, (row + 1) * width);
}

/** Scores that were copied already. */
export class CopiedScores implements ScoreTable {
	constructor(
		readonly values: Float32Array,
		readonly width: number,
	) {}

	likeliest(first: number, end: number, blank?: number): RowTokens {
		const { values, width } = this;
		return tokensOf(first, end, blank, (wanted) =>
			likeliestOfRows(values, width, wanted),
		);
	}
}

export class ScoreRows implements ScoreTable {
	readonly #what: string;
	readonly #output: Tensor;
	readonly count: number;
	readonly width: number;
	#values: Float32Array | undefined;

	/**
	 * @param what names the graph in errors. @param output [1, rows, width]; disposed by `dispose`, or here where it is of another shape
	 * @param lengths how many rows are valid, one number; absent: all. Disposed.
	 * @throws ModelFault when it is of another shape
	 */
	constructor(what: string, output: Tensor | undefined, lengths?: Tensor) {
		try {
			if (output?.type !== "float32" || output.dims.length !== 3)
				throw new ModelFault(`${what} returned no frames`);
			const [, rows = 0, width = 0] = output.dims;
			const valid = lengths === undefined ? rows : Number(lengths.data[0]);
			if (!(valid >= 0 && valid <= rows))
				throw new ModelFault(
					`${what} returned ${rows} frames, but says ${valid}`,
				);
			this.#what = what;
			this.#output = output;
			this.count = valid;
			this.width = width;
		} catch (error) {
			output?.dispose();
			throw error;
		} finally {
			lengths?.dispose();
		}
	}

	likeliest(first: number, end: number, blank?: number): RowTokens {
		return tokensOf(first, end, blank, (wanted) => this.#search(wanted));
	}

	/** [count, width], copied once. */
	get values(): Float32Array {
		if (this.#values) return this.#values;
		const values = new Float32Array(elementCount(this.#output.dims));
		this.#output.copyTo(values); // reading `data` might copy once more
		this.#values = values.subarray(0, this.count * this.width);
		this.#expect(areFiniteAt(this.#values));
		return this.#values;
	}

	/** What was read stays. */
	dispose(): void {
		this.#output.dispose();
	}

	#search(wanted: WantedRows): LikeliestOfRows {
		const found =
			this.#values || !this.#output.likeliestOfRows
				? likeliestOfRows(this.values, this.width, wanted)
				: this.#output.likeliestOfRows(wanted);
		this.#expect(found.areFinite);
		return found;
	}

	#expect(areFinite: boolean): void {
		if (!areFinite)
			throw new ModelFault(
				`${this.#what}'s output is not finite: damaged weights`,
			);
	}
}

function tokensOf(
	first: number,
	end: number,
	blank: number | undefined,
	search: (wanted: WantedRows) => LikeliestOfRows,
): RowTokens {
	const count = end - first;
	if (count <= 0)
		return { tokens: new Int32Array(0), logps: new Float32Array(0) };
	const [sum = 0] = search({ first, count: 1 }).logSums;
	const summed = !(Math.abs(sum) < normalizedWithin);
	const { tokens, scores, logSums } = search({
		first,
		count,
		summed,
		...(blank !== undefined && { unsummed: blank }),
	});
	return {
		tokens,
		logps: scores.map((score, row) => score - (logSums[row] as number)),
	};
}

/** The likeliest tokens of a graph's output: [rows, width]. */
export function likeliestIn(
	output: Tensor,
	wanted: WantedRows,
): LikeliestOfRows {
	if (output.likeliestOfRows && (wanted.most ?? 1) <= tokensOfRowMax)
		return output.likeliestOfRows(wanted);
	const values = new Float32Array(elementCount(output.dims));
	output.copyTo(values);
	return likeliestOfRows(values, output.dims.at(-1) ?? 0, wanted);
}

/** What a runtime's search finds, in a copy. @param values [rows, width] */
function likeliestOfRows(
	values: Float32Array,
	width: number,
	{ first, count, most = 1, summed = true, unsummed }: WantedRows,
): LikeliestOfRows {
	const tokens = new Int32Array(count * most);
	const scores = new Float32Array(count * most);
	const logSums = new Float32Array(count);
	for (let i = 0; i < count; i++) {
		const row = rowOf({ values, width }, first + i);
		// what is surely the likeliest needs no search
		const isSure =
			!summed && unsummed !== undefined && (row[unsummed] as number) > logHalf;
		const token = isSure ? unsummed : (likeliestOne(row) ?? 0);
		const few = most === 1 ? [token] : likeliest(row, most);
		tokens.set(few, i * most);
		for (let k = 0; k < most; k++)
			scores[i * most + k] = row[few[k] as number] as number;
		if (summed && token !== unsummed) logSums[i] = logSumOf(row);
	}
	const searched = values.subarray(first * width, (first + count) * width);
	return { tokens, scores, logSums, areFinite: areFiniteAt(searched) };
}

function areFiniteAt(values: Float32Array): boolean {
	return (
		values.length === 0 ||
		(Number.isFinite(values[0]) && Number.isFinite(values.at(-1)))
	);
}
