/**
 * A segment in a streaming transducer. It is decoded chunk by chunk, and further as more audio arrives; its text may be requested at any time.
 *
 * INVARIANTS
 * - The result depends on the request's samples only, not on earlier requests: saved states were computed from samples that every later request also has,
 *   and a request with fewer samples returns to an earlier state. Groups of chunks are counted from the segment's start, because the number of chunks in a run
  changes the last bits of what it computes.
 * - A segment that ends is followed by silence, so that the last word is decoded completely; states after the silence are not saved.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { KaldiFbank } from "../../features/kaldi-fbank.js";
import {
	advance,
	type BeamHypothesis,
	type BeamOptions,
	startOf,
} from "./beam.js";
import type { EncoderState, ZipformerEncoder } from "./encoder.js";
import { JoinedRows } from "./joined-rows.js";
import type { ZipformerShape } from "./shape.js";
import type { Transducer } from "./transducer.js";

/** State of the decoding after some groups of chunks. */
export interface StreamState {
	/** Feature frames consumed. */
	readonly frame: number;
	/** Encoder frames produced from them. */
	readonly encoded: number;
	readonly state: EncoderState;
	readonly hypotheses: readonly BeamHypothesis[];
	/** Features that the next group shares with the last one: [overlap, mels] */
	readonly overlap: Float32Array;
	/** The latest of those encoder frames. */
	readonly chunk: FrameChunk | undefined;
}

/** Encoder frames of a group of chunks, and those before them. */
export interface FrameChunk {
	/** [count, width] */
	readonly frames: Float32Array;
	readonly before: FrameChunk | undefined;
}

export interface StreamOptions extends BeamOptions {
	/** Silence after a segment that has ended; the models look ahead at most 0.3 s. */
	readonly tailSeconds: number;
	/** Chunks that are encoded together where the graph takes several: cheaper, and later for an open segment. Default: 1. */
	readonly chunksTogether?: number;
}

/** States kept: a pause discards at most a second of decoded audio, and a chunk is a third of a second. */
const rememberedMax = 6;
/** A token is emitted every two or three frames of speech. */
const framesAhead = 4;

export class SegmentStream {
	readonly #fbank: KaldiFbank;
	readonly #encoder: ZipformerEncoder;
	readonly #transducer: Transducer;
	/** Chunks encoded together. */
	readonly #group: number;
	/** Oldest first. */
	#remembered: readonly StreamState[] = [];
	readonly #first: StreamState;
	/** Settles when the requests so far are decoded. */
	#decoded: Promise<unknown> = Promise.resolve();

	constructor(
		fbank: KaldiFbank,
		encoder: ZipformerEncoder,
		transducer: Transducer,
		readonly options: StreamOptions,
	) {
		this.#fbank = fbank;
		this.#encoder = encoder;
		this.#transducer = transducer;
		this.#group = encoder.takesMany ? (options.chunksTogether ?? 1) : 1;
		this.#first = {
			frame: 0,
			encoded: 0,
			state: encoder.initial,
			hypotheses: startOf(options.bias),
			overlap: new Float32Array(0),
			chunk: undefined,
		};
	}

	/**
	 * @param samples the segment so far, from its start.
	 * @param open the segment may still grow. @param cancelled polled between chunks.
	 */
	decode(
		samples: Float32Array,
		open: boolean,
		cancelled: () => boolean = () => false,
	): Promise<StreamState | "cancelled"> {
		const decoding = this.#decoded.then(() =>
			this.#decode(samples, open, cancelled),
		);
		this.#decoded = decoding.catch(() => {});
		return decoding;
	}

	async #decode(
		samples: Float32Array,
		open: boolean,
		cancelled: () => boolean,
	): Promise<StreamState | "cancelled"> {
		let current = this.#before(samples.length);
		while (this.#chunksIn(current, samples) >= this.#group) {
			if (cancelled()) return "cancelled";
			current = await this.#next(current, samples, this.#group);
			this.#remember(current);
		}
		if (open) return current;
		const tailSamples = Math.round(this.options.tailSeconds * sampleRateHz);
		const whole = new Float32Array(samples.length + tailSamples);
		whole.set(samples);
		for (;;) {
			const left = this.#chunksIn(current, whole);
			if (left === 0) return current;
			if (cancelled()) return "cancelled";
			const before = current;
			const chunks = this.#encoder.takesMany ? left : 1;
			current = await this.#next(before, whole, chunks);
			if (!this.#remembered.includes(before))
				this.#encoder.release(before.state);
		}
	}

	/** What is no longer remembered is used by nobody: requests are decoded one after the other. */
	#remember(current: StreamState): void {
		const kept = [
			...this.#remembered.filter((it) => it.frame < current.frame),
			current,
		].slice(-rememberedMax);
		for (const it of this.#remembered)
			if (!kept.includes(it)) this.#encoder.release(it.state);
		this.#remembered = kept;
	}

	/** The latest saved state that needs no more than this many samples. */
	#before(samples: number): StreamState {
		const frames = this.#fbank.frameCount(samples);
		const { chunkFrames, hopFrames } = this.#encoder.shape;
		const ahead = chunkFrames - hopFrames;
		return (
			this.#remembered.findLast(({ frame }) => frame + ahead <= frames) ??
			this.#first
		);
	}

	/** How many chunks the samples have after a state. */
	#chunksIn({ frame }: StreamState, samples: Float32Array): number {
		const { chunkFrames, hopFrames } = this.#encoder.shape;
		const frames = this.#fbank.frameCount(samples.length) - frame;
		return Math.max(0, Math.floor((frames - chunkFrames) / hopFrames) + 1);
	}

	async #next(
		current: StreamState,
		samples: Float32Array,
		chunks: number,
	): Promise<StreamState> {
		const { hopFrames } = this.#encoder.shape;
		const chunk = this.#features(samples, current, chunks);
		const { frames, count, next } = await this.#encoder.encode(
			chunk,
			current.state,
		);
		const rows = new JoinedRows(this.#transducer, frames, count);
		let { hypotheses } = current;
		for (let i = 0; i < count; i++)
			hypotheses = advance(
				hypotheses,
				await this.#logpsAt(i, rows, hypotheses),
				current.encoded + i,
				this.options,
			);
		return {
			frame: current.frame + chunks * hopFrames,
			encoded: current.encoded + count,
			state: next,
			hypotheses,
			overlap: overlapOf(chunk, this.#encoder.shape),
			chunk: { frames, before: current.chunk },
		};
	}

	#features(
		samples: Float32Array,
		{ frame, overlap }: StreamState,
		chunks: number,
	): Float32Array {
		const { chunkFrames, hopFrames, mels } = this.#encoder.shape;
		const frames = chunkFrames + (chunks - 1) * hopFrames;
		const known = overlap.length / mels;
		const chunk = new Float32Array(frames * mels);
		chunk.set(overlap);
		const first = frame + known;
		chunk.set(
			this.#fbank.frames(samples, first, frames - known),
			overlap.length,
		);
		return chunk;
	}

	/** Of each hypothesis. Where rows are cheap, those of the next frames are computed too: most hypotheses emit nothing there. */
	async #logpsAt(
		frame: number,
		rows: JoinedRows,
		hypotheses: readonly BeamHypothesis[],
	): Promise<Float32Array[]> {
		const contexts = await rows.after(
			hypotheses.map(({ last }) => this.#transducer.contextAfter(last)),
		);
		const isMissing = contexts.some((it) => it.rows[frame] === -1);
		if (isMissing) {
			const ahead = this.#transducer.joinsMany ? framesAhead : 1;
			const to = Math.min(rows.count, frame + ahead);
			for (const it of contexts) rows.want(it, frame, to);
			await rows.compute();
		}
		return contexts.map((it) => rows.row(it, frame));
	}
}

/** An even number of frames: they are transformed in pairs, and another partner could change a frame's last bit. */
function overlapOf(
	chunk: Float32Array,
	{ chunkFrames, hopFrames, mels }: ZipformerShape,
): Float32Array {
	const frames = chunkFrames - hopFrames;
	const even = hopFrames % 2 === 0 ? frames - (frames % 2) : 0;
	if (even <= 0) return new Float32Array(0);
	const from = chunk.length / mels - frames;
	return chunk.slice(from * mels, (from + even) * mels);
}

/** All encoder frames of a state: [encoded, width]. */
export function framesOf({ chunk }: StreamState): Float32Array {
	const chunks: Float32Array[] = [];
	for (let at = chunk; at; at = at.before) chunks.unshift(at.frames);
	const size = chunks.reduce((sum, { length }) => sum + length, 0);
	const frames = new Float32Array(size);
	let filled = 0;
	for (const it of chunks) {
		frames.set(it, filled);
		filled += it.length;
	}
	return frames;
}
