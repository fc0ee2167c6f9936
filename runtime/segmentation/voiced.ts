/**
 * How much of a segment, or of a part of one, is certainly speech. Noise that passes voice activity has hardly any, so it is evidence for or against an
 * uncertain text.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { SampleRange, Segment, VoiceActivity } from "./events.js";

type Spoken = Pick<
	Segment,
	"voiced" | "pauses" | "speechStartSample" | "speechEndSample"
>;

/** @returns seconds with certain voice activity between its first and its last speech. */
export function voicedSeconds(segment: Omit<Spoken, "pauses">): number {
	return secondsOf(voicedIn(segment));
}

/** Voice activity of a segment, for the recognizer. */
export function voiceOf(segment: Spoken): VoiceActivity {
	const voiced = voicedIn(segment);
	const startSample = voiced[0]?.startSample ?? 0;
	const endSample = voiced.at(-1)?.endSample ?? 0;
	const pauses = within(segment.pauses, startSample, endSample);
	return {
		voicedSeconds: secondsOf(voiced),
		spanSeconds: secondsOf([{ startSample, endSample }]) - secondsOf(pauses),
	};
}

function voicedIn(segment: Omit<Spoken, "pauses">): SampleRange[] {
	const { voiced, speechStartSample, speechEndSample } = segment;
	return within(voiced, speechStartSample, speechEndSample);
}

function within(
	ranges: readonly SampleRange[],
	from: number,
	to: number,
): SampleRange[] {
	return ranges
		.map(({ startSample, endSample }) => ({
			startSample: Math.max(startSample, from),
			endSample: Math.min(endSample, to),
		}))
		.filter(({ startSample, endSample }) => startSample < endSample);
}

function secondsOf(ranges: readonly SampleRange[]): number {
	const samples = ranges.reduce(
		(sum, { startSample, endSample }) => sum + endSample - startSample,
		0,
	);
	return samples / sampleRateHz;
}
