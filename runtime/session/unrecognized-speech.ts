/**
 * Speech that has no text, and why it was given up. It is reported wherever texts are, so that lost speech is not taken for silence.
 *
 * Only seconds in which voice activity is sure are counted: audio that a guard silenced because it has no speech has hardly any.
 */
import type { Hypothesis, UnrecognizedSpeech } from "../models/recognizer.js";
import type { SampleRange, Segment } from "../segmentation/events.js";
import { voicedSeconds } from "../segmentation/voiced.js";
import { spansWithoutWords } from "./lost-speech.js";
import type { Part } from "./parts.js";

/** Its range in the recording, in the segment's sample numbers. */
export interface UnrecognizedSpan extends UnrecognizedSpeech, SampleRange {}

/** Anything shorter than a syllable is noise. */
const secondsMin = 0.1;

/** Speech that the hypothesis leaves out: all of it if the text is empty, else the spans without words even after a second attempt. */
export function unrecognizedIn({
	segment,
	hypothesis,
}: Part): UnrecognizedSpan[] {
	const { speechStartSample, speechEndSample } = segment;
	const spans =
		hypothesis.text === ""
			? [{ startSample: speechStartSample, endSample: speechEndSample }]
			: spansWithoutWords(segment, hypothesis);
	const why = whyNot(hypothesis);
	return spans.flatMap((it) => unrecognizedSpan(segment, it, why));
}

/** Speech that was not decoded. */
export function skippedSpeech(segment: Segment): UnrecognizedSpeech {
	return { why: "skipped", seconds: voicedSeconds(segment) };
}

/** The name of the guard that rejected the text, if any. */
function whyNot({ text, guards }: Hypothesis): string {
	const verdict = guards.at(-1);
	return text === "" && verdict ? verdict.replace(/:.*/u, "") : "no words";
}

function unrecognizedSpan(
	segment: Segment,
	{ startSample, endSample }: SampleRange,
	why: string,
): UnrecognizedSpan[] {
	const seconds = voicedSeconds({
		voiced: segment.voiced,
		speechStartSample: startSample,
		speechEndSample: endSample,
	});
	return seconds < secondsMin ? [] : [{ why, seconds, startSample, endSample }];
}
