/**
 * Makes an utterance of a segment and its hypothesis: times become relative to the session, samples become milliseconds.
 */
import { sampleRateHz, samplesToMs } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Utterance, Word } from "./events.js";

/** A last sound fades out after the detected end of speech. */
export const tailSamples = 0.2 * sampleRateHz;

export function makeUtterance(
	segment: Segment,
	hypothesis: Hypothesis,
): Utterance {
	const { startSample, endSample, speechEndSample } = segment;
	const startMs = samplesToMs(startSample);
	const beginMs = samplesToMs(segment.speechStartSample);
	const endMs = samplesToMs(Math.min(endSample, speechEndSample + tailSamples));
	return {
		index: segment.index,
		beginMs,
		endMs,
		text: hypothesis.text.trim(),
		confidence: hypothesis.confidence,
		...(hypothesis.spokenIn && { spokenIn: hypothesis.spokenIn }),
		words: hypothesis.words.map((word) =>
			placeWord(word, startMs, { beginMs, endMs }),
		),
	};
}

/** Keeps times within the speech and in order, whatever the alignment returned. */
function placeWord(
	word: RecognizedWord,
	segmentMs: number,
	{ beginMs, endMs }: { readonly beginMs: number; readonly endMs: number },
): Word {
	const startMs = within(segmentMs + word.startSeconds * 1000, beginMs, endMs);
	return {
		text: word.text,
		startMs,
		endMs: within(segmentMs + word.endSeconds * 1000, startMs, endMs),
		kind: word.kind,
		confidence: word.confidence,
	};
}

function within(ms: number, min: number, max: number): number {
	return Math.min(Math.max(Math.round(ms), min), max);
}
