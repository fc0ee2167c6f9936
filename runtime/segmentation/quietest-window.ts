/**
 * Where to split speech without pauses: the middle of the quietest fifth of a second.
 */

/** Data that segmentation keeps of a window. */
export interface WindowTrace {
	/** Probability of speech, 0 to 1. */
	readonly probability: number;
	readonly levelDbfs: number;
}

/** Windows before and after that are averaged, so that the silence of a stop consonant is not chosen. */
const reach = 3;
/** Weight of the speech probability relative to the level, in dB: in noise the level has little meaning. */
const probabilityDb = 20;

/**
 * @param traces windows before which the speech may be split, oldest first; at least one.
 * @returns index of the window with the quietest surroundings; the latest of equals, for longer segments.
 */
export function quietestWindow(traces: readonly WindowTrace[]): number {
	let quietest = 0;
	let quietestLoudness = Number.POSITIVE_INFINITY;
	for (let i = 0; i < traces.length; i++) {
		const loudness = meanLoudness(traces, i - reach, i + reach);
		if (loudness <= quietestLoudness) {
			quietest = i;
			quietestLoudness = loudness;
		}
	}
	return quietest;
}

function meanLoudness(
	traces: readonly WindowTrace[],
	first: number,
	last: number,
): number {
	const from = Math.max(0, first);
	const to = Math.min(traces.length - 1, last);
	let sum = 0;
	for (let i = from; i <= to; i++) {
		const { probability, levelDbfs } = traces[i] as WindowTrace;
		sum += levelDbfs + probabilityDb * probability;
	}
	return sum / (to - from + 1);
}
