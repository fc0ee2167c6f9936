/**
 * Where to cut speech that does not pause: the middle of the quietest fifth of a second.
 */

/** What segmentation remembers of a window. */
export interface WindowTrace {
	/** Of speech, 0 to 1. */
	readonly probability: number;
	readonly levelDbfs: number;
}

/** A silence shorter than a stop consonant is no place to cut. */
const reach = 3;
/** What being sure of speech weighs against level, in dB: in noise the level tells little. */
const probabilityDb = 20;

/**
 * @param traces windows that may be cut before, oldest first; at least one.
 * @returns index of the window whose surroundings are quietest; the latest of equals, for longer segments.
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
