/**
 * How much waiting audio is worth. A slot is held while its client pauses, so a byte now and then must not hold it for ever: what comes buys time in proportion to
 * how long it takes to say, and never more than `connect_timeout`. Pure.
 *
 * A second of audio buys a hundred. So audio that comes at less than a hundredth of real time ends the session, and who pauses between words is not touched: the
 * shortest of them (0.6 s) buys the longest pause there is (60 s), and 0.1 s the usual one (10 s).
 */
import type { RecognitionOptions } from "../../session/options.js";

const secondsBought = 100;
const bytesPerSample = 2;
/** The leanest codecs of speech take 600 (AMR 4.75 kbit/s), or 750 (Opus 6 kbit/s). */
const containerBytesPerSecond = 500;

/** @returns bytes that count as a second of it; of a container, however long it takes to say, the fewest that a second has. */
export function bytesPerSecondOf({
	format,
	sampleRateHz,
}: Pick<RecognitionOptions, "format" | "sampleRateHz">): number {
	return format === "pcm"
		? sampleRateHz * bytesPerSample
		: containerBytesPerSecond;
}

/** @returns seconds that so much audio buys. */
export function waitBoughtBy(bytes: number, bytesPerSecond: number): number {
	return (bytes / bytesPerSecond) * secondsBought;
}

/** Until when somebody waits. Times are milliseconds of any clock that never goes back. */
export class WaitBudget {
	#msMax = 0;
	#endMs = 0;

	begin(nowMs: number, seconds: number): void {
		this.#msMax = seconds * 1000;
		this.renew(nowMs);
	}

	/** So much longer, but no longer from now than it was at first. */
	extend(nowMs: number, seconds: number): void {
		this.#endMs = Math.min(this.#endMs + seconds * 1000, nowMs + this.#msMax);
	}

	/** From the beginning again. */
	renew(nowMs: number): void {
		this.#endMs = nowMs + this.#msMax;
	}

	/** 0 or less: it is over. */
	leftMs(nowMs: number): number {
		return this.#endMs - nowMs;
	}
}
