/**
 * The time at which a sample was recorded, by the system's clock, derived from arrival times. The earliest arrival of the last minute counts (others were
 * delayed), a clock change is followed within a period, and lost audio shifts only what came after it.
 *
 * Counted in samples since the microphone started; pure.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import { periodMs } from "./protocol.js";

/** Blocks of ten seconds; the earliest arrival in each is kept, */
const blockPeriods = 10_000 / periodMs;
/** for a minute: a card's clock drifts against the system's. */
const blocksKept = 6;
/** A larger difference is a clock change, not a delay. */
const jumpMs = 5000;
/** Longer than any utterance and the wait for its final. */
const rememberedSamples = 90 * sampleRateHz;

/** Samples without a gap between them. */
class ContinuousSpan {
	#earliestMs: number[] = [];
	#periods = 0;
	#offsetMs = Number.POSITIVE_INFINITY;

	constructor(readonly startSample: number) {}

	/** When its sample 0 would have been recorded. */
	get offsetMs(): number {
		return this.#offsetMs;
	}

	note(offsetMs: number): void {
		if (this.#periods++ % blockPeriods === 0) {
			this.#earliestMs.push(offsetMs);
			if (this.#earliestMs.length > blocksKept) this.#earliestMs.shift();
		}
		const last = this.#earliestMs.length - 1;
		this.#earliestMs[last] = Math.min(
			this.#earliestMs[last] as number,
			offsetMs,
		);
		this.#offsetMs = Math.min(...this.#earliestMs);
	}

	/** The system's clock was set. */
	move(ms: number): void {
		this.#earliestMs = this.#earliestMs.map((it) => it + ms);
		this.#offsetMs += ms;
	}
}

export class SampleClock {
	readonly #spans: ContinuousSpan[] = [new ContinuousSpan(0)];

	/** @param endSample of the period that arrived. @param nowMs of the system's clock. */
	note(endSample: number, nowMs: number): void {
		const offsetMs = nowMs - (endSample * 1000) / sampleRateHz;
		const newest = this.#newest;
		const movedMs = offsetMs - newest.offsetMs;
		if (Number.isFinite(movedMs) && Math.abs(movedMs) > jumpMs)
			for (const span of this.#spans) span.move(movedMs);
		newest.note(offsetMs);
		const oldest = endSample - rememberedSamples;
		while ((this.#spans[1]?.startSample ?? endSample) < oldest)
			this.#spans.shift();
	}

	/** Audio was lost before this sample, an unknown amount. */
	gap(sample: number): void {
		if (Number.isFinite(this.#newest.offsetMs))
			this.#spans.push(new ContinuousSpan(sample));
	}

	/** Whole milliseconds since 1970. */
	atMs(sample: number): number {
		const timed = this.#spans.filter((it) => Number.isFinite(it.offsetMs));
		const span = timed.findLast((it) => it.startSample <= sample) ?? timed[0];
		return Math.round((span?.offsetMs ?? 0) + (sample * 1000) / sampleRateHz);
	}

	get #newest(): ContinuousSpan {
		return this.#spans.at(-1) as ContinuousSpan;
	}
}
