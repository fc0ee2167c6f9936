/**
 * How much waiting time audio buys. A slot is held while its client pauses, so an occasional byte must not hold it for ever: incoming audio buys time in
 * proportion to its duration, but never more than `connect_timeout`. Pure.
 *
 * A second of audio buys 100 seconds. So audio that comes at less than a hundredth of real time ends the session, while a speaker who pauses between words is
 * not affected: the shortest word (0.6 s) buys the longest timeout allowed (60 s), and 0.1 s the default one (10 s).
 */
import { codecOf, isRaw } from "../../audio/container.js";
import { bytesPerSample } from "../../audio/sample-codec.js";
import type { RecognitionOptions } from "../../session/options.js";

const secondsBought = 100;
/** The lowest rates of speech codecs are 600 (AMR 4.75 kbit/s) and 750 (Opus 6 kbit/s). */
const containerBytesPerSecond = 500;

/** @returns bytes that count as a second of audio; for a container, whose bit rate is unknown, the fewest that a second can have. */
export function bytesPerSecondOf({
	format,
	sampleRateHz,
	rawChannels = 1,
}: Pick<
	RecognitionOptions,
	"format" | "sampleRateHz" | "rawChannels"
>): number {
	return isRaw(format)
		? sampleRateHz * rawChannels * bytesPerSample[codecOf(format)]
		: containerBytesPerSecond;
}

/** @returns seconds of waiting. */
export function waitBoughtBy(bytes: number, bytesPerSecond: number): number {
	return (bytes / bytesPerSecond) * secondsBought;
}

/** Deadline of a wait. Times are milliseconds of any monotonic clock. */
export class WaitBudget {
	#msMax = 0;
	#endMs = 0;

	begin(nowMs: number, seconds: number): void {
		this.#msMax = seconds * 1000;
		this.renew(nowMs);
	}

	/** Extends the deadline, at most to the initial time from now. */
	extend(nowMs: number, seconds: number): void {
		this.#endMs = Math.min(this.#endMs + seconds * 1000, nowMs + this.#msMax);
	}

	/** Restarts the wait. */
	renew(nowMs: number): void {
		this.#endMs = nowMs + this.#msMax;
	}

	/** 0 or less: the time is over. */
	leftMs(nowMs: number): number {
		return this.#endMs - nowMs;
	}
}
