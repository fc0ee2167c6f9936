/**
 * Log-probabilities of the next token in the frames of a segment, after the tokens that were emitted before: each is computed once, many of them in a run of
 * the joiner.
 */
import type { JoinedSide, Transducer } from "./transducer.js";

/** The last tokens that were emitted, and what was computed after them. */
export interface RowContext {
	/** Position of its prediction. */
	readonly number: number;
	/** By frame: number of its row, or -1. */
	readonly rows: Int32Array;
}

/** Rows in one run of the joiner: more need memory and are not faster. */
const rowsMax = 512;
const noRow = -1;
const capacityMin = 16;

export class JoinedRows {
	readonly #transducer: Transducer;
	readonly #frames: Float32Array;
	readonly count: number;
	readonly #contexts = new Map<string, RowContext>();
	/** By context: [capacity, width] */
	#predictions = new Float32Array(0);
	#capacity = 0;
	/** Of each run, `rowsMax` rows or fewer: [rows, vocabulary]. */
	readonly #blocks: Float32Array[] = [];
	/** The first row of the next run. */
	#next = 0;
	#frameOf: number[] = [];
	#predictionOf: number[] = [];

	/** @param frames of the encoder: [count, width] */
	constructor(transducer: Transducer, frames: Float32Array, count: number) {
		this.#transducer = transducer;
		this.#frames = frames;
		this.count = count;
	}

	/** @param befores tokens that were emitted: at least as many as the model takes, or all of them. */
	async after(
		befores: readonly (readonly number[])[],
	): Promise<readonly RowContext[]> {
		const { start, contextSize } = this.#transducer;
		const unknown = new Map<string, readonly number[]>();
		const keys = befores.map((before) => {
			const context =
				before.length < contextSize
					? [...start, ...before].slice(-contextSize)
					: before.slice(-contextSize);
			const key = context.join(" ");
			if (!this.#contexts.has(key)) unknown.set(key, context);
			return key;
		});
		if (unknown.size > 0) {
			const found = await this.#transducer.predict([...unknown.values()]);
			[...unknown.keys()].forEach((key, i) => {
				this.#add(key, found[i] as Float32Array);
			});
		}
		return keys.map((key) => this.#contexts.get(key) as RowContext);
	}

	/** Rows to be computed, of the frames `[from, to)`. */
	want({ number, rows }: RowContext, from: number, to: number): void {
		for (let frame = from; frame < to; frame++) {
			if (rows[frame] !== noRow) continue;
			// a run's last rows may be missing in its block
			rows[frame] = this.#next + this.#frameOf.length;
			this.#frameOf.push(frame);
			this.#predictionOf.push(number);
		}
	}

	async compute(): Promise<void> {
		const frameOf = this.#frameOf;
		const predictionOf = this.#predictionOf;
		this.#frameOf = [];
		this.#predictionOf = [];
		const first = this.#next / rowsMax;
		this.#next += Math.ceil(frameOf.length / rowsMax) * rowsMax;
		for (let from = 0; from < frameOf.length; from += rowsMax) {
			const to = from + rowsMax;
			const frames = within(this.#frames, this.count, frameOf.slice(from, to));
			const predictions = within(
				...([this.#predictions, this.#capacity] as const),
				predictionOf.slice(from, to),
			);
			this.#blocks[first + from / rowsMax] =
				await this.#transducer.logProbabilities(frames, predictions);
		}
	}

	/** Of all tokens, in a frame that was computed. */
	row({ rows }: RowContext, frame: number): Float32Array {
		const { vocabulary } = this.#transducer;
		const row = rows[frame] as number;
		const at = (row % rowsMax) * vocabulary;
		return this.#blockOf(row).subarray(at, at + vocabulary);
	}

	/** Of one token. */
	logp({ rows }: RowContext, frame: number, token: number): number {
		const row = rows[frame] as number;
		const at = (row % rowsMax) * this.#transducer.vocabulary;
		return this.#blockOf(row)[at + token] as number;
	}

	#blockOf(row: number): Float32Array {
		return this.#blocks[Math.floor(row / rowsMax)] as Float32Array;
	}

	#add(key: string, prediction: Float32Array): void {
		const number = this.#contexts.size;
		const rows = new Int32Array(this.count).fill(noRow);
		this.#contexts.set(key, { number, rows });
		const { length: width } = prediction;
		if (number === this.#capacity) {
			this.#capacity = Math.max(capacityMin, 2 * number);
			const larger = new Float32Array(this.#capacity * width);
			larger.set(this.#predictions);
			this.#predictions = larger;
		}
		this.#predictions.set(prediction, number * width);
	}
}

/** Only the rows between the first and the last of those that are joined: what a run gets is copied. @param all [count, width] */
function within(
	all: Float32Array,
	count: number,
	rows: readonly number[],
): JoinedSide {
	const width = all.length / count;
	const first = Math.min(...rows);
	const last = Math.max(...rows);
	return {
		values: all.subarray(first * width, (last + 1) * width),
		width,
		rows: Int32Array.from(rows, (it) => it - first),
	};
}
