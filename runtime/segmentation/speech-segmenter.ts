/**
 * Segmentation of a stream: splits samples into windows, runs the detector on them, applies the rules. Samples may arrive in pieces of any
 * length; the events are the same.
 */
import assert from "node:assert";
import type { Segment, SegmentEvent } from "./events.js";
import type { EndpointRules } from "./rules.js";
import { Segmenter } from "./segmenter.js";
import { type SpeechDetector, windowSamples } from "./speech-detector.js";

export class SpeechSegmenter {
	readonly #detector: SpeechDetector;
	readonly #segmenter: Segmenter;
	/** The window that is not complete yet. */
	readonly #partial = new Float32Array(windowSamples);
	#partialSamples = 0;
	/** Complete windows without a probability yet: the detector may look ahead. */
	#unanswered: Float32Array[] = [];
	/** Probabilities of the first of them, and of future windows: see `precompute`. */
	#answers: number[] = [];
	/** Number of future windows that the detector has already processed. */
	#precomputed = 0;
	/** Windows of the warm-up whose probabilities are still to be dropped. */
	#unwanted = 0;

	/**
	 * @param detector fresh, for this stream only.
	 * @param rules where a segment begins and ends.
	 */
	constructor(detector: SpeechDetector, rules: EndpointRules) {
		this.#detector = detector;
		this.#segmenter = new Segmenter(rules);
	}

	/** Samples since the last speech; undefined before the first, and during a sound that may be speech. */
	get silentSamples(): number | undefined {
		return this.#segmenter.silentSamples;
	}

	/** A copy of the open segment, or of its part from a sample on. It lacks an incomplete last window. */
	openSegment(fromSample?: number): Segment | undefined {
		return this.#segmenter.openSegment(fromSample);
	}

	/** Ends the open segment with the last complete window. */
	endSentence(): SegmentEvent[] {
		return this.#segmenter.endSentence();
	}

	/** Runs the detector on audio before the first samples, so that it adapts, without segmenting it. A whole number of windows. */
	async warmUp(samples: Float32Array): Promise<void> {
		this.#unwanted += samples.length / windowSamples;
		await this.#detect(samples);
	}

	/** See SpeechDetector: where a warm-up may begin. */
	get strideWindows(): number {
		return this.#detector.strideWindows;
	}

	/**
	 * Runs the detector in advance on samples that `accept` will get next, in pieces of any length: many windows at once cost a third of single ones.
	 * The events are the same without it.
	 */
	async precompute(samples: Float32Array): Promise<void> {
		assert(this.#precomputed === 0, "precomputed twice");
		const total = this.#partialSamples + samples.length;
		const windows = new Float32Array(total - (total % windowSamples));
		if (windows.length === 0) return;
		windows.set(this.#partial.subarray(0, this.#partialSamples));
		const toCome = windows.length - this.#partialSamples;
		windows.set(samples.subarray(0, toCome), this.#partialSamples);
		this.#precomputed = windows.length / windowSamples;
		await this.#detect(windows);
	}

	/** Calls must not overlap. @param samples mono, 16 kHz, finite; copied where kept. */
	async accept(samples: Float32Array): Promise<SegmentEvent[]> {
		const windows = this.#takeWindows(samples);
		const count = windows.length / windowSamples;
		const precomputed = Math.min(count, this.#precomputed);
		this.#precomputed -= precomputed;
		if (count > precomputed)
			await this.#detect(windows.subarray(precomputed * windowSamples));
		for (let i = 0; i < count; i++)
			this.#unanswered.push(
				windows.subarray(i * windowSamples, (i + 1) * windowSamples),
			);
		return this.#segment();
	}

	/** Ends the stream and the open segment. */
	async finish(): Promise<SegmentEvent[]> {
		if (this.#partialSamples > 0) {
			this.#partial.fill(0, this.#partialSamples);
			await this.#detect(this.#partial);
			this.#unanswered.push(this.#partial.subarray(0, this.#partialSamples));
			this.#partialSamples = 0;
		}
		this.#answered(await this.#detector.finish());
		return [...this.#segment(), ...this.#segmenter.finish()];
	}

	async #detect(windows: Float32Array): Promise<void> {
		this.#answered(await this.#detector.accept(windows));
	}

	#answered(answers: Float32Array): void {
		const unwanted = Math.min(this.#unwanted, answers.length);
		this.#unwanted -= unwanted;
		for (const answer of answers.subarray(unwanted)) this.#answers.push(answer);
	}

	/** Segments the windows whose probabilities are known. */
	#segment(): SegmentEvent[] {
		const count = Math.min(this.#unanswered.length, this.#answers.length);
		const answers = this.#answers.splice(0, count);
		return this.#unanswered
			.splice(0, count)
			.flatMap((window, i) =>
				this.#segmenter.accept(window, answers[i] as number),
			);
	}

	/** @returns the complete windows, concatenated; the rest is kept. */
	#takeWindows(samples: Float32Array): Float32Array {
		const total = this.#partialSamples + samples.length;
		const windows = new Float32Array(total - (total % windowSamples));
		if (windows.length === 0) {
			this.#partial.set(samples, this.#partialSamples);
		} else {
			const fromSamples = windows.length - this.#partialSamples;
			windows.set(this.#partial.subarray(0, this.#partialSamples));
			windows.set(samples.subarray(0, fromSamples), this.#partialSamples);
			this.#partial.set(samples.subarray(fromSamples));
		}
		this.#partialSamples = total % windowSamples;
		return windows;
	}
}
