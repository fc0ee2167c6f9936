/**
 * Splits a stream into overlapping spans of 10 s, one every 5 s, so that each moment is seen with context before and after it.
 *
 * INVARIANTS
 * - A span begins at a multiple of `stepWindows`, except for the last, which ends with the stream.
 * - At most 15 s are kept.
 */
import assert from "node:assert";
import { concat } from "../../audio/concat.js";
import { windowSamples } from "../../segmentation/speech-detector.js";

/** 4.992 s: spans begin where windows do. */
export const stepWindows = 156;
const spanWindows = 2 * stepWindows;

/** Consecutive windows of the stream, and the index of the first. */
export interface AudioSpan {
	readonly firstWindow: number;
	readonly samples: Float32Array;
}

export class SlidingSpans {
	/** Samples of the most recent windows. */
	#kept: Float32Array = new Float32Array(0);
	#windowsSeen = 0;
	/** First window of the next span. */
	#nextWindow = 0;

	get windowsSeen(): number {
		return this.#windowsSeen;
	}

	/** @param windows whole windows; copied. @returns the spans that they complete. */
	accept(windows: Float32Array): AudioSpan[] {
		const count = windows.length / windowSamples;
		assert(
			Number.isInteger(count),
			`${windows.length} samples are not whole windows`,
		);
		this.#kept = concat(this.#kept, windows);
		this.#windowsSeen += count;
		const spans: AudioSpan[] = [];
		while (this.#nextWindow + spanWindows <= this.#windowsSeen) {
			spans.push(this.#span(this.#nextWindow, spanWindows));
			this.#nextWindow += stepWindows;
		}
		// the last span may begin a step before the next one
		const needed = this.#windowsSeen - this.#nextWindow + stepWindows;
		this.#kept = this.#kept.slice(-needed * windowSamples);
		return spans;
	}

	/** Ends the stream. @returns a last span, if the end is not covered yet. */
	finish(): AudioSpan | undefined {
		const coveredTo = this.#nextWindow > 0 ? this.#nextWindow + stepWindows : 0;
		if (this.#windowsSeen <= coveredTo) return undefined;
		const first = Math.max(0, this.#windowsSeen - spanWindows);
		return this.#span(first, this.#windowsSeen - first);
	}

	#span(firstWindow: number, count: number): AudioSpan {
		const before = this.#windowsSeen - firstWindow;
		const start = this.#kept.length - before * windowSamples;
		const end = start + count * windowSamples;
		return { firstWindow, samples: this.#kept.slice(start, end) };
	}
}
