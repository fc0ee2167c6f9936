/**
 * When a sample of a leg was spoken, in milliseconds of the call. Both legs of a call are placed on one clock, that of arrival, though each sends its own
 * samples: a leg may begin later, and a telephone that is put on hold may send nothing for a while.
 *
 * Counted in samples since the leg began; pure.
 */

/** Audio that stops for longer, and is then as late as it stopped for, was interrupted; less is the network's delay. */
const gapMsMin = 400;
/** Longer than any utterance and the wait for its final. */
const rememberedMs = 120_000;

interface Span {
	readonly startSample: number;
	/** When its sample 0 would have been spoken. */
	offsetMs: number;
	/** Of this, how much was added for the interruption before it. */
	gapMs: number;
}

export class LegClock {
	readonly #msPerSample: number;
	readonly #spans: Span[] = [];
	#endSample = 0;
	#lastMs = 0;

	constructor(rateHz: number) {
		this.#msPerSample = 1000 / rateHz;
	}

	/** @param samples that arrived now. @param nowMs of the call. */
	note(samples: number, nowMs: number): void {
		const startSample = this.#endSample;
		const arrivedMs = Math.max(0, nowMs - samples * this.#msPerSample);
		const last = this.#spans.at(-1);
		if (!last)
			this.#spans.push({ startSample: 0, offsetMs: arrivedMs, gapMs: 0 });
		else {
			const lateMs = arrivedMs - this.#atMs(last, startSample);
			if (lateMs >= gapMsMin && nowMs - this.#lastMs >= gapMsMin)
				this.#spans.push({
					startSample,
					offsetMs: last.offsetMs + lateMs,
					gapMs: lateMs,
				});
			else if (lateMs < 0) this.#shorten(last, -lateMs);
		}
		this.#endSample += samples;
		this.#lastMs = nowMs;
		this.#forget(nowMs - rememberedMs);
	}

	/** Whole milliseconds of the call. */
	atMs(sample: number): number {
		const span =
			this.#spans.findLast((it) => it.startSample <= sample) ?? this.#spans[0];
		return span ? Math.max(0, Math.round(this.#atMs(span, sample))) : 0;
	}

	/** Audio can't come before it was spoken: what looked like an interruption was a delay, and the rest is arriving now. */
	#shorten(span: Span, ms: number): void {
		const by = Math.min(ms, span.gapMs);
		span.offsetMs -= by;
		span.gapMs -= by;
	}

	#atMs({ offsetMs }: Span, sample: number): number {
		return offsetMs + sample * this.#msPerSample;
	}

	#forget(beforeMs: number): void {
		while (this.#spans.length > 1) {
			const next = this.#spans[1] as Span;
			if (this.#atMs(next, next.startSample) > beforeMs) return;
			this.#spans.shift();
		}
	}
}
