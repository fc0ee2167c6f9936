/** The length that decoding a track will have: of its packets, and of the gaps between them where decoding fills these. */
import { gapSecondsMin } from "./argv.js";

export class PacketClock {
	readonly #isPlacedByTime: boolean;
	/** Of the first packet, in units of the time base; NaN if unknown. */
	#first = Number.NaN;
	/** End of the last packet, after the beginning of the first, in units of the time base. */
	#end = 0;
	#secondsAbout = 0;

	/** @param isPlacedByTime as the decoder does it. */
	constructor(isPlacedByTime: boolean) {
		this.#isPlacedByTime = isPlacedByTime;
	}

	/** @param pts and @param duration in units of the time base, the former NaN if unknown. @param seconds the latter, rounded to microseconds. */
	add(pts: number, duration: number, seconds: number): void {
		if (duration <= 0) return;
		if (Number.isNaN(this.#first)) this.#first = pts;
		const unitSeconds = seconds / duration;
		const gap = pts - this.#first - this.#end;
		if (this.#isPlacedByTime && gap * unitSeconds >= gapSecondsMin) {
			this.#end += gap;
			this.#secondsAbout += gap * unitSeconds;
		}
		this.#end += duration;
		this.#secondsAbout += seconds;
	}

	/** So far. */
	get secondsAbout(): number {
		return this.#secondsAbout;
	}

	/** @param startSeconds of the whole file; NaN if unknown. */
	seconds(unitSeconds: number, startSeconds: number): number {
		const late = this.#first * unitSeconds - startSeconds;
		const isLate = this.#isPlacedByTime && late >= gapSecondsMin;
		return this.#end * unitSeconds + (isLate ? late : 0);
	}
}
