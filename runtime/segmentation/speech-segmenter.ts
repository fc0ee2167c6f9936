/**
 * Segmentation of a stream: cuts what comes into windows, asks the detector about them, applies the rules. Samples may come in pieces of any
 * length; the events are the same.
 */
import assert from "node:assert";
import type { Segment, SegmentEvent } from "./events.js";
import { type EndpointRules, windowSamples } from "./rules.js";
import { Segmenter } from "./segmenter.js";
import type { SpeechDetector } from "./speech-detector.js";

export class SpeechSegmenter {
	readonly #detector: SpeechDetector;
	readonly #segmenter: Segmenter;
	/** The window that is not full yet. */
	readonly #partial = new Float32Array(windowSamples);
	#partialSamples = 0;
	/** Of windows to come, first to last: see `foresee`. */
	#foreseen: number[] = [];

	/**
	 * @param detector fresh, for this stream only.
	 * @param rules where a segment begins and ends.
	 */
	constructor(detector: SpeechDetector, rules: EndpointRules) {
		this.#detector = detector;
		this.#segmenter = new Segmenter(rules);
	}

	/** Samples since the last speech; undefined before any, and while something begins that may be speech. */
	get silentSamples(): number | undefined {
		return this.#segmenter.silentSamples;
	}

	/** The open segment as it is now, or its end from a sample on; a copy. Up to a window of it is still to come. */
	openSegment(fromSample?: number): Segment | undefined {
		return this.#segmenter.openSegment(fromSample);
	}

	/** The open segment ends with the last whole window. */
	endSentence(): SegmentEvent[] {
		return this.#segmenter.endSentence();
	}

	/** What came before the first samples: the detector gets used to the place, nothing of it is segmented. A whole number of windows. */
	async warmUp(samples: Float32Array): Promise<void> {
		await this.#detector.accept(samples);
	}

	/**
	 * Asks the detector at once about samples that `accept` will be given next, in whatever pieces: many windows together cost a third of one by one.
	 * The events are the same without it.
	 */
	async foresee(samples: Float32Array): Promise<void> {
		assert(this.#foreseen.length === 0, "foreseen twice");
		const total = this.#partialSamples + samples.length;
		const windows = new Float32Array(total - (total % windowSamples));
		if (windows.length === 0) return;
		windows.set(this.#partial.subarray(0, this.#partialSamples));
		const toCome = windows.length - this.#partialSamples;
		windows.set(samples.subarray(0, toCome), this.#partialSamples);
		this.#foreseen = [...(await this.#detector.accept(windows))];
	}

	/** One call at a time. @param samples mono, 16 kHz, finite; copied where kept. */
	async accept(samples: Float32Array): Promise<SegmentEvent[]> {
		const windows = this.#takeWindows(samples);
		if (windows.length === 0) return [];
		const probabilities = await this.#probabilities(windows);
		const events: SegmentEvent[] = [];
		for (let i = 0; i < probabilities.length; i++) {
			const start = i * windowSamples;
			const window = windows.subarray(start, start + windowSamples);
			events.push(
				...this.#segmenter.accept(window, probabilities[i] as number),
			);
		}
		return events;
	}

	/** No more samples come: the open segment ends. */
	async finish(): Promise<SegmentEvent[]> {
		const events: SegmentEvent[] = [];
		if (this.#partialSamples > 0) {
			this.#partial.fill(0, this.#partialSamples);
			const [probability] = await this.#detector.accept(this.#partial);
			const tail = this.#partial.subarray(0, this.#partialSamples);
			events.push(...this.#segmenter.accept(tail, probability as number));
			this.#partialSamples = 0;
		}
		return [...events, ...this.#segmenter.finish()];
	}

	async #probabilities(windows: Float32Array): Promise<ArrayLike<number>> {
		if (this.#foreseen.length === 0) return this.#detector.accept(windows);
		return this.#foreseen.splice(0, windows.length / windowSamples);
	}

	/** @returns the windows that are full now, in one piece; the rest waits. */
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
