/**
 * A segment and what was recognised in it, as the session tells it: times move from the segment to the session, samples become milliseconds.
 */
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Utterance, Word } from "./events.js";

export const sampleRateHz = 16000;

/** Whole milliseconds: the API's times are integers. */
export function samplesToMs(samples: number): number {
	return Math.round((samples * 1000) / sampleRateHz);
}

export function makeUtterance(
	segment: Segment,
	hypothesis: Hypothesis,
): Utterance {
	const beginMs = samplesToMs(segment.startSample);
	const endMs = samplesToMs(segment.endSample);
	return {
		index: segment.index,
		beginMs,
		endMs,
		text: hypothesis.text.trim(),
		confidence: hypothesis.confidence,
		words: hypothesis.words.map((word) => placeWord(word, beginMs, endMs)),
	};
}

/** Times stay inside the segment and never run backwards, whatever the alignment said. */
function placeWord(word: RecognizedWord, beginMs: number, endMs: number): Word {
	const startMs = within(beginMs + word.startSeconds * 1000, beginMs, endMs);
	return {
		text: word.text,
		startMs,
		endMs: within(beginMs + word.endSeconds * 1000, startMs, endMs),
		kind: word.kind,
		confidence: word.confidence,
	};
}

function within(ms: number, min: number, max: number): number {
	return Math.min(Math.max(Math.round(ms), min), max);
}
