/** What was measured of a device, and how. */

/** One way to hear, and how quick it was. */
export interface TuningRow {
	/** As it is set, */
	readonly processor: string;
	/** and what computed it then. */
	readonly computedBy: string;
	readonly threads: number;
	readonly beam: number;
	/** Of hearing the clip once: the recognizer's time. */
	readonly decodeMs: number;
	/** Seconds of speech heard in one of the recognizer's. */
	readonly speed: number;
}

export interface TuningResults {
	readonly model: string;
	readonly cores: number;
	readonly clipSeconds: number;
	readonly rows: readonly TuningRow[];
	/** What a partial of the clip costs, as those of the settings that were chosen so far. */
	readonly partialMs: number;
	/** Slowest against quickest of the same: somebody else was at work where it is far from 1. */
	readonly spread: number;
}
