/**
 * Speech that is in no text, and why it was given up. It is reported wherever a text is, so that lost speech is not taken for silence.
 *
 * Counted are seconds in which voice activity is sure: what a guard silenced because nobody spoke has hardly any.
 */
import type { Hypothesis, UnrecognizedSpeech } from "../models/recognizer.js";
import type { SampleRange, Segment } from "../segmentation/events.js";
import { voicedSeconds } from "../segmentation/voiced.js";
import { spansWithoutWords } from "./lost-speech.js";
import type { Part } from "./parts.js";

/** Where in the recording; the samples' numbers are the segment's. */
export interface UnrecognizedSpan extends UnrecognizedSpeech, SampleRange {}

/** Less than a syllable is a knock. */
const secondsMin = 0.1;

/** What was found of a segment leaves this out: all of it where it is empty, else where there are no words even after a second attempt. */
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

/** A guard's name, where one took the text away. */
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
