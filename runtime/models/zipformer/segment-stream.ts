/**
 * A segment on its way through a streaming transducer. It is heard chunk by chunk, and heard further when more of it is there; what it says is asked as
 * often as anyone likes.
 *
 * INVARIANTS
 * - What is heard in so many samples depends on these samples alone, however often and of how many of them it was asked before: what is remembered was
 *   computed from samples that every later request has, too, and a request of fewer goes back to where it was.
 * - A sound that ends is followed by silence, so that the last word is heard to its end; what follows the silence is forgotten.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { KaldiFbank } from "../../features/kaldi-fbank.js";
import { advance, type BeamOptions, type Hypothesis, startOf } from "./beam.js";
import type { EncoderState, ZipformerEncoder } from "./encoder.js";
import type { Transducer } from "./transducer.js";

/** Where a segment's hearing stands. */
export interface Hearing {
	/** Frames of features that lie behind. */
	readonly frame: number;
	/** Frames that the encoder has made of them. */
	readonly encoded: number;
	readonly state: EncoderState;
	readonly hypotheses: readonly Hypothesis[];
}

/** A pause takes back a second of what was heard, at most; chunks are a third of one. */
const rememberedMax = 6;
/** Silence behind a sound that has ended; the models look ahead 0.3 s at most. */
const tailSamples = sampleRateHz * 0.5;

export class SegmentStream {
	/** Oldest first. */
	#remembered: readonly Hearing[] = [];
	readonly #first: Hearing;

	constructor(
		private readonly fbank: KaldiFbank,
		private readonly encoder: ZipformerEncoder,
		private readonly transducer: Transducer,
		readonly options: BeamOptions,
	) {
		this.#first = {
			frame: 0,
			encoded: 0,
			state: encoder.initial,
			hypotheses: startOf(options.bias),
		};
	}

	/**
	 * @param samples all of the segment that there is.
	 * @param open more may come. @param cancelled polled between chunks.
	 */
	async hear(
		samples: Float32Array,
		open: boolean,
		cancelled: () => boolean = () => false,
	): Promise<Hearing | "cancelled"> {
		let hearing = this.#before(samples.length);
		while (this.#hasChunk(hearing, samples)) {
			if (cancelled()) return "cancelled";
			hearing = await this.#next(hearing, samples);
			this.#remembered = [
				...this.#remembered.filter((it) => it.frame < hearing.frame),
				hearing,
			].slice(-rememberedMax);
		}
		if (open) return hearing;
		const whole = new Float32Array(samples.length + tailSamples);
		whole.set(samples);
		while (this.#hasChunk(hearing, whole)) {
			if (cancelled()) return "cancelled";
			hearing = await this.#next(hearing, whole);
		}
		return hearing;
	}

	/** The furthest that so many samples are enough for. */
	#before(samples: number): Hearing {
		const frames = this.fbank.frameCount(samples);
		const { chunkFrames, hopFrames } = this.encoder.shape;
		const ahead = chunkFrames - hopFrames;
		return (
			this.#remembered.findLast(({ frame }) => frame + ahead <= frames) ??
			this.#first
		);
	}

	#hasChunk({ frame }: Hearing, samples: Float32Array): boolean {
		const { chunkFrames } = this.encoder.shape;
		return frame + chunkFrames <= this.fbank.frameCount(samples.length);
	}

	async #next(hearing: Hearing, samples: Float32Array): Promise<Hearing> {
		const { chunkFrames, hopFrames } = this.encoder.shape;
		const chunk = this.fbank.frames(samples, hearing.frame, chunkFrames);
		const { frames, count, width, next } = await this.encoder.encode(
			chunk,
			hearing.state,
		);
		let { hypotheses } = hearing;
		for (let i = 0; i < count; i++)
			hypotheses = await this.#search(
				hypotheses,
				frames.subarray(i * width, (i + 1) * width),
				hearing.encoded + i,
			);
		return {
			frame: hearing.frame + hopFrames,
			encoded: hearing.encoded + count,
			state: next,
			hypotheses,
		};
	}

	async #search(
		hypotheses: readonly Hypothesis[],
		frame: Float32Array,
		index: number,
	): Promise<Hypothesis[]> {
		const { transducer } = this;
		const predictions: Float32Array[] = [];
		for (const hypothesis of hypotheses)
			predictions.push(await transducer.predict(this.#contextOf(hypothesis)));
		const logits = await transducer.join(frame, predictions);
		return advance(hypotheses, logits, index, this.options);
	}

	#contextOf({ last }: Hypothesis): readonly number[] {
		const { contextSize, start } = this.transducer;
		const context: number[] = [];
		for (let at = last; at && context.length < contextSize; at = at.before)
			context.unshift(at.token);
		return [...start, ...context].slice(-contextSize);
	}
}
