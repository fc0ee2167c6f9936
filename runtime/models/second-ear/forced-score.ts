/**
 * The probability of given token sequences in a transducer, summed over all alignments with the audio (Graves 2012, "Sequence Transduction with Recurrent
 * Neural Networks", equation 16).
 *
 * A sequence is only followed around the times at which the recognizer found its sounds: a token far from its time adds nothing to the sum, and the joiner
 * would cost five times as much.
 */
import { logAdd } from "../log-probability.js";
import type { Transducer } from "../zipformer/transducer.js";
import { blank } from "../zipformer/transducer.js";
import type { WantedToken } from "./pinyin-symbols.js";

/** A token, and the frames between which the recognizer found its sound. */
export interface PlacedToken extends WantedToken {
	readonly first: number;
	readonly last: number;
}

/** Frames that a token may be early or late. */
const marginFrames = 12;
/** Share of the exact tone in a final's probability; the rest is shared by all tones, because texts and dictionaries often differ in them. */
const toneShare = 0.85;
/** Rows in one run of the joiner: more need memory and are not faster. */
const rowsMax = 512;
/** Natural log-probabilities below the largest that no longer add to a sum. */
const negligible = 16;

/** A frame, and the tokens emitted before it (at least as many as the model takes, or all). */
export interface Place {
	readonly frame: number;
	readonly before: readonly number[];
}

interface Window {
	readonly from: number;
	/** Exclusive. */
	readonly to: number;
}

/** A cell of the lattice: which frame, after which tokens. */
interface MissingRow {
	readonly frame: number;
	readonly prediction: Float32Array;
}

interface ContextRows {
	readonly prediction: Float32Array;
	/** By frame: row of the scores, or -1. */
	readonly rows: Int32Array;
}

export class ForcedScore {
	readonly #transducer: Transducer;
	readonly #frames: Float32Array;
	readonly #width: number;
	readonly #count: number;
	readonly #margin: number;
	readonly #contexts = new Map<string, ContextRows>();
	/** Log-probabilities: [rows, vocabulary] */
	#rows = new Float32Array(0);
	#rowCount = 0;

	/** @param frames of the encoder: [count, width] */
	constructor(
		transducer: Transducer,
		frames: Float32Array,
		count: number,
		margin = marginFrames,
	) {
		this.#transducer = transducer;
		this.#frames = frames;
		this.#count = count;
		this.#width = count === 0 ? 0 : frames.length / count;
		this.#margin = margin;
	}

	/** @returns the natural log-probability of each. */
	async score(
		sequences: readonly (readonly PlacedToken[])[],
	): Promise<number[]> {
		if (this.#count === 0) return sequences.map(() => 0);
		const placed = [];
		const missing: MissingRow[] = [];
		for (const tokens of sequences) {
			const windows = windowsOf(tokens, this.#count, this.#margin);
			const contexts: ContextRows[] = [];
			for (let state = 0; state <= tokens.length; state++) {
				const rows = await this.#contextOf(tokens, state);
				contexts.push(rows);
				this.#addMissing(rows, windows[state] as Window, missing);
			}
			placed.push({ tokens, windows, contexts });
		}
		await this.#compute(missing);
		return placed.map((it) => this.#sum(it.tokens, it.windows, it.contexts));
	}

	/** Log-probabilities of all tokens in each place: views that are valid until the next call. */
	async rowsOf(places: readonly Place[]): Promise<Float32Array[]> {
		const missing: MissingRow[] = [];
		const numbers: number[] = [];
		for (const { frame, before } of places) {
			const context = await this.#rowsAfter(before);
			this.#addMissing(context, { from: frame, to: frame + 1 }, missing);
			numbers.push(context.rows[frame] as number);
		}
		await this.#compute(missing);
		return numbers.map((it) => this.#row(it));
	}

	#contextOf(
		tokens: readonly PlacedToken[],
		state: number,
	): Promise<ContextRows> {
		const { contextSize } = this.#transducer;
		const last = tokens.slice(Math.max(0, state - contextSize), state);
		return this.#rowsAfter(last.map(({ token }) => token));
	}

	async #rowsAfter(before: readonly number[]): Promise<ContextRows> {
		const { start, contextSize } = this.#transducer;
		const context = [...start, ...before].slice(-contextSize);
		const key = context.join(" ");
		const known = this.#contexts.get(key);
		if (known) return known;
		const found = {
			prediction: await this.#transducer.predict(context),
			rows: new Int32Array(this.#count).fill(-1),
		};
		this.#contexts.set(key, found);
		return found;
	}

	#addMissing(
		{ rows, prediction }: ContextRows,
		{ from, to }: Window,
		missing: MissingRow[],
	): void {
		for (let frame = from; frame < to; frame++) {
			if (rows[frame] !== -1) continue;
			rows[frame] = this.#rowCount + missing.length;
			missing.push({ frame, prediction });
		}
	}

	async #compute(missing: readonly MissingRow[]): Promise<void> {
		const { vocabulary } = this.#transducer;
		this.#reserve((this.#rowCount + missing.length) * vocabulary);
		for (let done = 0; done < missing.length; done += rowsMax) {
			const rows = missing.slice(done, done + rowsMax);
			const logits = await this.#join(rows);
			for (let i = 0; i < rows.length; i++)
				normalize(logits.subarray(i * vocabulary, (i + 1) * vocabulary));
			this.#rows.set(logits, this.#rowCount * vocabulary);
			this.#rowCount += rows.length;
		}
	}

	#join(rows: readonly MissingRow[]): Promise<Float32Array> {
		const width = this.#width;
		const predictionWidth = rows[0]?.prediction.length ?? 0;
		const frames = new Float32Array(rows.length * width);
		const predictions = new Float32Array(rows.length * predictionWidth);
		rows.forEach(({ frame, prediction }, i) => {
			const at = frame * width;
			frames.set(this.#frames.subarray(at, at + width), i * width);
			predictions.set(prediction, i * predictionWidth);
		});
		return this.#transducer.joinRows(frames, predictions, rows.length);
	}

	#reserve(size: number): void {
		if (size <= this.#rows.length) return;
		const larger = new Float32Array(Math.max(size, 2 * this.#rows.length));
		larger.set(this.#rows);
		this.#rows = larger;
	}

	#row(row: number): Float32Array {
		const { vocabulary } = this.#transducer;
		return this.#rows.subarray(row * vocabulary, (row + 1) * vocabulary);
	}

	/** The forward variable, state by state: `alpha` is the log-probability of being in a frame after a number of tokens. */
	#sum(
		tokens: readonly PlacedToken[],
		windows: readonly Window[],
		contexts: readonly ContextRows[],
	): number {
		const { vocabulary } = this.#transducer;
		let before = new Float64Array(0); // probability of entering a state, by frame
		let beforeFrom = 0;
		for (let state = 0; ; state++) {
			const { from, to } = windows[state] as Window;
			const { rows } = contexts[state] as ContextRows;
			const token = tokens[state];
			const entering = new Float64Array(to - from);
			let alpha = Number.NEGATIVE_INFINITY;
			for (let frame = from; frame < to; frame++) {
				const entered =
					state === 0
						? frame === 0
							? 0
							: Number.NEGATIVE_INFINITY
						: (before[frame - beforeFrom] ?? Number.NEGATIVE_INFINITY);
				alpha = logAdd(alpha, entered);
				const at = (rows[frame] as number) * vocabulary;
				if (token) entering[frame - from] = alpha + this.#emission(at, token);
				alpha += this.#rows[at + blank] as number;
			}
			if (!token) return alpha;
			before = entering;
			beforeFrom = from;
		}
	}

	#emission(at: number, { token, tones, anyTone }: PlacedToken): number {
		const logp = this.#rows[at + token] as number;
		if (!tones) return logp;
		let sum = 0;
		for (const tone of tones) sum += Math.exp(this.#rows[at + tone] as number);
		return Math.log(
			anyTone ? sum : toneShare * Math.exp(logp) + (1 - toneShare) * sum,
		);
	}
}

/** The frames in which each state (0 to all tokens emitted) is followed. */
function windowsOf(
	tokens: readonly PlacedToken[],
	count: number,
	margin: number,
): Window[] {
	const windows: Window[] = [];
	for (let state = 0; state <= tokens.length; state++) {
		const entered = tokens[state - 1];
		const left = tokens[state];
		windows.push({
			from: entered
				? Math.max(0, Math.min(count - 1, entered.first - margin))
				: 0,
			to: left ? Math.min(count, left.last + margin + 1) : count,
		});
	}
	return windows;
}

/** Turns scores into natural log-probabilities. */
function normalize(scores: Float32Array): void {
	let max = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < scores.length; i++)
		if ((scores[i] as number) > max) max = scores[i] as number;
	let sum = 0;
	const least = max - negligible;
	for (let i = 0; i < scores.length; i++) {
		const score = scores[i] as number;
		if (score > least) sum += Math.exp(score - max);
	}
	const total = max + Math.log(sum);
	for (let i = 0; i < scores.length; i++)
		scores[i] = (scores[i] as number) - total;
}
