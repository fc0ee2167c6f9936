/**
 * Speech that no text tells of, and why it was given up. It is told wherever a text is, so that nobody takes silence for an answer.
 *
 * Counted are seconds in which voice activity is sure: what a guard silenced because nobody spoke has hardly any.
 */
import type { Hypothesis, UnrecognizedSpeech } from "../models/recognizer.js";
import type { SampleRange, Segment } from "../segmentation/events.js";
import { voicedSeconds } from "../segmentation/voiced.js";
import type { Part } from "./parts.js";
import { bareStretches } from "./unheard.js";

/** Where in the recording; the samples' numbers are the segment's. */
export interface UnheardStretch extends UnrecognizedSpeech, SampleRange {}

/** Less than a syllable is a knock. */
const secondsMin = 0.1;

/** What was found of a segment leaves this out: all of it where it is empty, else where there are no words even after a second look. */
export function unheardIn({ segment, hypothesis }: Part): UnheardStretch[] {
	const { speechStartSample, speechEndSample } = segment;
	const stretches =
		hypothesis.text === ""
			? [{ startSample: speechStartSample, endSample: speechEndSample }]
			: bareStretches(segment, hypothesis);
	const why = whyNot(hypothesis);
	return stretches.flatMap((it) => unheardStretch(segment, it, why));
}

/** What nobody tried to recognise. */
export function skippedSpeech(segment: Segment): UnrecognizedSpeech {
	return { why: "skipped", seconds: voicedSeconds(segment) };
}

/** A guard's name, where one took the text away. */
function whyNot({ text, guards }: Hypothesis): string {
	const verdict = guards.at(-1);
	return text === "" && verdict ? verdict.replace(/:.*/u, "") : "no words";
}

function unheardStretch(
	segment: Segment,
	{ startSample, endSample }: SampleRange,
	why: string,
): UnheardStretch[] {
	const seconds = voicedSeconds({
		voiced: segment.voiced,
		speechStartSample: startSample,
		speechEndSample: endSample,
	});
	return seconds < secondsMin ? [] : [{ why, seconds, startSample, endSample }];
}
