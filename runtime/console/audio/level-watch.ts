/** What a microphone's level says: how loud, whether it clips, whether there is any signal. */
import { clippingPeak, frameMs } from "./capture.js";

export interface Level {
	/** 0 to 1. */
	readonly peak: number;
	readonly clips: boolean;
	readonly silent: boolean;
}

export const noLevel: Level = { peak: 0, clips: false, silent: false };

const silentPeak = 0.001;
const silentMs = 2500;
/** A moment is too short to be read. */
const shownMs = 1000;

export class LevelWatch {
	#quietMs = 0;
	#clipsUntilMs = 0;

	/** @param peak of the next frame */
	next(peak: number, nowMs: number): Level {
		this.#quietMs = peak < silentPeak ? this.#quietMs + frameMs : 0;
		if (peak >= clippingPeak) this.#clipsUntilMs = nowMs + shownMs;
		return {
			peak,
			clips: nowMs < this.#clipsUntilMs,
			silent: this.#quietMs > silentMs,
		};
	}
}
