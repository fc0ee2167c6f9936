/**
 * A stream in overlapping spans of 10 s, one every 5 s, so that each moment is seen with what came before it and with what comes after.
 *
 * INVARIANTS
 * - A span lies at a multiple of `stepWindows` from the stream's beginning, but for the last, which ends with the stream.
 * - No more than 15 s are held.
 */
import assert from "node:assert";
import { concat } from "../../audio/concat.js";

const windowSamples = 512;
/** 4.992 s: spans begin where windows do. */
export const stepWindows = 156;
const spanWindows = 2 * stepWindows;

/** Some of the stream's windows, and where they begin in it. */
export interface AudioSpan {
	readonly firstWindow: number;
	readonly samples: Float32Array;
}

export class SlidingSpans {
	/** The last windows, up to the newest. */
	#kept: Float32Array = new Float32Array(0);
	#windowsSeen = 0;
	/** Of the next span. */
	#nextWindow = 0;

	get windowsSeen(): number {
		return this.#windowsSeen;
	}

	/** @param windows whole ones; copied. @returns the spans that are full now. */
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

	/** No more comes. @returns a last span, where something has been seen by too few. */
	finish(): AudioSpan | undefined {
		const isSeen = this.#nextWindow > 0;
		const seenTo = isSeen ? this.#nextWindow + stepWindows : 0;
		if (this.#windowsSeen <= seenTo) return undefined;
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
