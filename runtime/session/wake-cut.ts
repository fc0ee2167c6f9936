/**
 * Where a wake word ends: in the first dip of the level after its last vowel began. Without a pause that is the closure or the transition before the
 * next syllable.
 */
import { rmsDbfs } from "../audio/level.js";
import { sampleRateHz } from "../audio/sample-rate.js";
import type { SampleHistory } from "../segmentation/sample-history.js";

/** A vowel lasts from 0.06 to 0.4 s. */
const vowelSamplesMin = 0.06 * sampleRateHz;
const vowelSamplesMax = 0.4 * sampleRateHz;
const windowSamples = 0.02 * sampleRateHz;
const stepSamples = 0.01 * sampleRateHz;
/** A dip is this much quieter than the vowel, and the sound after it this much louder than the dip. */
const fallDb = 6;
const riseDb = 4;

/** @param vowelSample begin of the last vowel. @returns not behind the newest sample. */
export function endOfWakeWord(
	history: SampleHistory,
	vowelSample: number,
): number {
	const first = Math.min(vowelSample, history.end);
	const last = Math.min(vowelSample + vowelSamplesMax, history.end);
	const samples = history.copy(first, last);
	let loudestDbfs = Number.NEGATIVE_INFINITY;
	let quietestDbfs = Number.POSITIVE_INFINITY;
	let quietest = samples.length;
	for (let at = 0; at + windowSamples <= samples.length; at += stepSamples) {
		const levelDbfs = rmsDbfs(samples.subarray(at, at + windowSamples));
		const isDip = quietestDbfs <= loudestDbfs - fallDb;
		if (isDip && levelDbfs >= quietestDbfs + riseDb) break;
		loudestDbfs = Math.max(loudestDbfs, levelDbfs);
		if (at < vowelSamplesMin || levelDbfs >= quietestDbfs) continue;
		quietestDbfs = levelDbfs;
		quietest = at + windowSamples / 2;
	}
	return first + quietest;
}
