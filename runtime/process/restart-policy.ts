/** When to start a child process again that died: at once, until five have died within a minute; then after a pause that doubles with each further death. */
import { backOff } from "../limits/back-off.js";

const windowMs = 60_000;
const deathsMax = 5;
const pauseMsMax = 60_000;
/** A child that outlives the longest pause by a minute resets the pauses. */
const stableMs = pauseMsMax + 60_000;

export class RestartPolicy {
	readonly #firstPauseMs: number;
	#deathsMs: number[] = [];
	#pauses = 0;

	constructor(firstPauseMs: number) {
		this.#firstPauseMs = firstPauseMs;
	}

	/**
	 * @param nowMs of a clock that never runs backwards.
	 * @returns milliseconds to wait before the next start; 0: none.
	 */
	died(nowMs: number): number {
		const lastMs = this.#deathsMs.at(-1) ?? nowMs;
		if (nowMs - lastMs > stableMs) this.#pauses = 0;
		this.#deathsMs = [
			...this.#deathsMs.filter((it) => nowMs - it < windowMs),
			nowMs,
		];
		if (this.#pauses === 0 && this.#deathsMs.length < deathsMax) return 0;
		return backOff(this.#pauses++, this.#firstPauseMs, pauseMsMax);
	}
}
