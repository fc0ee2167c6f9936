/**
 * Data kept of each window, to find where a sound began before it was certainly speech, and where a long segment is quietest.
 */

import type { SampleRange } from "./events.js";
import { quietestWindow, type WindowTrace } from "./quietest-window.js";
import type { EndpointRules } from "./rules.js";
import { windowSamples } from "./speech-detector.js";

type LookbackRules = Pick<
	EndpointRules,
	| "leadSamples"
	| "faintProbability"
	| "faintLookbackWindows"
	| "cutSearchWindows"
	| "sureProbability"
>;

export class WindowTraces {
	readonly #rules: LookbackRules;
	#traces: WindowTrace[] = [];
	/** Number of the first window kept. */
	#first = 0;

	constructor(rules: LookbackRules) {
		this.#rules = rules;
	}

	push(trace: WindowTrace): void {
		this.#traces.push(trace);
	}

	/** Start of speech that was detected at a sample: the lead before it, or further back the faint beginning of the first sound. May be negative. */
	speechStart(onsetSample: number): number {
		const { faintProbability, faintLookbackWindows, leadSamples } = this.#rules;
		const start = onsetSample - leadSamples;
		const onset = onsetSample / windowSamples;
		const first = Math.max(this.#first, onset - faintLookbackWindows);
		for (let window = first; window < onset; window++) {
			const trace = this.#traces[window - this.#first] as WindowTrace;
			if (trace.probability < faintProbability) continue;
			return Math.min(start, (window - 2) * windowSamples);
		}
		return start;
	}

	/** First sample of the quietest of the last windows. */
	get quietestSample(): number {
		const last = this.#traces.slice(-this.#rules.cutSearchWindows);
		const first = this.#first + this.#traces.length - last.length;
		return (first + quietestWindow(last)) * windowSamples;
	}

	/** The parts of [from, to) in windows that are certainly speech. */
	voiced(from: number, to: number): SampleRange[] {
		const ranges: SampleRange[] = [];
		const first = Math.max(this.#first, Math.floor(from / windowSamples));
		const last = Math.ceil(to / windowSamples);
		let rangeStart: number | undefined;
		for (let window = first; window <= last; window++) {
			const start = window * windowSamples;
			if (window < last && this.#isSure(window)) {
				rangeStart ??= Math.max(from, start);
			} else if (rangeStart !== undefined) {
				const endSample = Math.min(to, start);
				ranges.push({ startSample: rangeStart, endSample });
				rangeStart = undefined;
			}
		}
		return ranges;
	}

	#isSure(window: number): boolean {
		const trace = this.#traces[window - this.#first] as WindowTrace;
		return trace.probability >= this.#rules.sureProbability;
	}

	/** Discards older windows, many at a time. */
	forgetBefore(sample: number): void {
		const count = Math.floor(sample / windowSamples) - this.#first;
		if (count < 64) return;
		this.#traces = this.#traces.slice(count);
		this.#first += count;
	}
}
