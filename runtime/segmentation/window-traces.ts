/**
 * What is remembered of each window: enough to find where a sound began before it was sure, and where a long segment is quietest.
 */
import { quietestWindow, type WindowTrace } from "./quietest-window.js";
import { type EndpointRules, windowSamples } from "./rules.js";

type LookbackRules = Pick<
	EndpointRules,
	| "leadSamples"
	| "faintProbability"
	| "faintLookbackWindows"
	| "cutSearchWindows"
>;

export class WindowTraces {
	readonly #rules: LookbackRules;
	#traces: WindowTrace[] = [];
	/** Number of the first window remembered. */
	#first = 0;

	constructor(rules: LookbackRules) {
		this.#rules = rules;
	}

	push(trace: WindowTrace): void {
		this.#traces.push(trace);
	}

	/** Where speech begins that was noticed at a sample: the lead, and further back to the faint beginning of the first sound. May be negative. */
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

	/** Now and then is enough. */
	forgetBefore(sample: number): void {
		const count = Math.floor(sample / windowSamples) - this.#first;
		if (count < 64) return;
		this.#traces = this.#traces.slice(count);
		this.#first += count;
	}
}
