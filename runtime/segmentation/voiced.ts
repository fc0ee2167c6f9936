/**
 * How much of a segment, or of a part of one, is surely speech. Noise that voice activity lets through has hardly any of it, so it tells whether an
 * uncertain text was said.
 */
import type { Segment } from "./events.js";
import { sampleRateHz } from "./rules.js";

/** @returns seconds between its first and its last speech in which voice activity is sure. */
export function voicedSeconds({
	voiced,
	speechStartSample,
	speechEndSample,
}: Pick<Segment, "voiced" | "speechStartSample" | "speechEndSample">): number {
	let samples = 0;
	for (const { startSample, endSample } of voiced) {
		const from = Math.max(startSample, speechStartSample);
		const to = Math.min(endSample, speechEndSample);
		samples += Math.max(0, to - from);
	}
	return samples / sampleRateHz;
}
