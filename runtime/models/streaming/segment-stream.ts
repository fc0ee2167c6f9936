/**
 * A segment in a streaming model. It is decoded chunk by chunk, and further as more audio arrives; its text may be requested at any time.
 *
 * INVARIANTS
 * - The result depends on the request's samples only, not on earlier requests: saved states were computed from samples that every later request also has,
 *   and a request with fewer samples returns to an earlier state. Groups of chunks are counted from the segment's start, because the number of chunks in a run
  changes the last bits of what it computes.
 * - A segment that ends is followed by silence, so that the last word is decoded completely; states after the silence are not saved.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { hopSeconds } from "../../features/filterbank-port.js";
import type { KaldiFbank } from "../../features/kaldi-fbank.js";
import type {
	ChunkShape,
	EncodedChunk,
	EncoderState,
	StreamEncoder,
} from "./stream-encoder.js";

/** A search for tokens in encoder frames. INVARIANT: what it has found is immutable: it may be resumed from any of it. */
export interface FrameSearch<Found> {
	readonly start: Found;
	/** @param first number of encoder frames before these, from the segment's start. */
	advance(found: Found, chunk: EncodedChunk, first: number): Promise<Found>;
}

/** State of the decoding after some groups of chunks. */
export interface StreamState<Found> {
	/** Feature frames consumed. */
	readonly frame: number;
	/** Encoder frames produced from them. */
	readonly encoded: number;
	readonly state: EncoderState;
	readonly found: Found;
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

export interface StreamOptions {
	/** Silence after a segment that has ended, see `tailSecondsOf`. */
	readonly tailSeconds: number;
	/** Chunks that are encoded together where the graph takes several: cheaper, and later for an open segment. Default: 1. */
	readonly chunksTogether?: number;
	/** Keep the encoder frames of all chunks, for `framesOf`. Default: false. */
	readonly keepFrames?: boolean;
}

/** States kept: a pause discards at most a second of decoded audio, and a chunk is a third of a second. */
const rememberedMax = 6;
/** The models look ahead at most 0.3 s. */
const tailSecondsMin = 0.5;
/** Features that end later than their number says. */
const lateFrames = 3;

/** Silence after a segment that has ended, so that its last word is decoded completely: what is left of a chunk is not decoded. */
export function tailSecondsOf({ chunkFrames }: ChunkShape): number {
	return Math.max(tailSecondsMin, (chunkFrames + lateFrames) * hopSeconds);
}

export class SegmentStream<Found> {
	readonly #fbank: KaldiFbank;
	readonly #encoder: StreamEncoder;
	readonly #search: FrameSearch<Found>;
	/** Chunks encoded together. */
	readonly #group: number;
	/** Oldest first. */
	#remembered: readonly StreamState<Found>[] = [];
	readonly #first: StreamState<Found>;
	/** Settles when the requests so far are decoded. */
	#decoded: Promise<unknown> = Promise.resolve();

	constructor(
		fbank: KaldiFbank,
		encoder: StreamEncoder,
		search: FrameSearch<Found>,
		readonly options: StreamOptions,
	) {
		this.#fbank = fbank;
		this.#encoder = encoder;
		this.#search = search;
		this.#group = encoder.takesMany ? (options.chunksTogether ?? 1) : 1;
		this.#first = {
			frame: 0,
			encoded: 0,
			state: encoder.initial,
			found: search.start,
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
	): Promise<StreamState<Found> | "cancelled"> {
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
	): Promise<StreamState<Found> | "cancelled"> {
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
			if (left === 0) {
				this.#dropUnlessSaved(current);
				return current;
			}
			if (cancelled()) return "cancelled";
			const before = current;
			const chunks = this.#encoder.takesMany ? left : 1;
			current = await this.#next(before, whole, chunks);
			this.#dropUnlessSaved(before);
		}
	}

	/** After the last request: the memory of the saved states is for other segments. */
	end(): void {
		for (const { state } of this.#remembered) this.#encoder.release(state);
		this.#remembered = [];
	}

	#dropUnlessSaved(one: StreamState<Found>): void {
		if (!this.#remembered.includes(one)) this.#encoder.release(one.state);
	}

	/** What is no longer remembered is used by nobody: requests are decoded one after the other. */
	#remember(current: StreamState<Found>): void {
		const kept = [
			...this.#remembered.filter((it) => it.frame < current.frame),
			current,
		].slice(-rememberedMax);
		for (const it of this.#remembered)
			if (!kept.includes(it)) this.#encoder.release(it.state);
		this.#remembered = kept;
	}

	/** The latest saved state that needs no more than this many samples. */
	#before(samples: number): StreamState<Found> {
		const frames = this.#fbank.frameCount(samples);
		const { chunkFrames, hopFrames } = this.#encoder.shape;
		const ahead = chunkFrames - hopFrames;
		return (
			this.#remembered.findLast(({ frame }) => frame + ahead <= frames) ??
			this.#first
		);
	}

	/** How many chunks the samples have after a state. */
	#chunksIn({ frame }: StreamState<Found>, samples: Float32Array): number {
		const { chunkFrames, hopFrames } = this.#encoder.shape;
		const frames = this.#fbank.frameCount(samples.length) - frame;
		return Math.max(0, Math.floor((frames - chunkFrames) / hopFrames) + 1);
	}

	async #next(
		current: StreamState<Found>,
		samples: Float32Array,
		chunks: number,
	): Promise<StreamState<Found>> {
		const { hopFrames } = this.#encoder.shape;
		const chunk = this.#features(samples, current, chunks);
		const encoded = await this.#encoder.encode(chunk, current.state);
		const { frames, count, next } = encoded;
		return {
			frame: current.frame + chunks * hopFrames,
			encoded: current.encoded + count,
			state: next,
			found: await this.#search.advance(
				current.found,
				encoded,
				current.encoded,
			),
			overlap: overlapOf(chunk, this.#encoder.shape),
			chunk: this.options.keepFrames
				? { frames, before: current.chunk }
				: undefined,
		};
	}

	#features(
		samples: Float32Array,
		{ frame, overlap }: StreamState<Found>,
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
}

function overlapOf(
	chunk: Float32Array,
	{ chunkFrames, hopFrames, mels }: ChunkShape,
): Float32Array {
	const frames = Math.max(0, chunkFrames - hopFrames);
	return chunk.slice(chunk.length - frames * mels);
}

/** All encoder frames of a state, where they are kept: [encoded, width]. */
export function framesOf({ chunk }: StreamState<unknown>): Float32Array {
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

/** Seconds between two encoder frames; 0 before the first. */
export function secondsPerEncodedFrame({
	frame,
	encoded,
}: StreamState<unknown>): number {
	return (frame * hopSeconds) / Math.max(1, encoded);
}
