/**
 * The result of recognizing a segment: one part, or several in order if it was recognized in pieces. Callers that return one text per segment
 * (live speech) join them; files keep the parts.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Language } from "../text/languages.js";
import { joinTexts } from "./join-text.js";
import { meanConfidence } from "./transcript.js";

export interface Part {
	readonly segment: Segment;
	readonly hypothesis: Hypothesis;
	/** In mixed speech, the language of the part, if it is in one. */
	readonly spokenIn?: Language;
}

/**
 * @param parts of the segment, in order, at least one.
 * @returns one hypothesis for the whole segment. A joined one has no tokens: its parts were recognized from different samples.
 */
export function joinParts(
	segment: Segment,
	parts: readonly Part[],
	language: Language,
): Hypothesis {
	const [only] = parts;
	if (only && parts.length === 1) return only.hypothesis;
	const hypotheses = parts.map((it) => it.hypothesis);
	const spoken = new Set(
		hypotheses.filter((it) => it.text !== "").map((it) => it.spokenIn),
	);
	const [spokenIn] = spoken;
	return {
		text: joinTexts(
			hypotheses.map((it) => it.text),
			language,
		),
		tokens: [],
		confidence: meanConfidence(hypotheses),
		...(spoken.size === 1 && spokenIn && { spokenIn }),
		words: parts.flatMap((part) => wordsWithin(segment, part)),
		guards: hypotheses.flatMap((it) => it.guards),
	};
}

/** Word times in seconds from the whole segment's start. */
function wordsWithin(
	{ startSample }: Segment,
	{ segment, hypothesis }: Part,
): RecognizedWord[] {
	const seconds = (segment.startSample - startSample) / sampleRateHz;
	return hypothesis.words.map((word) => ({
		...word,
		startSeconds: word.startSeconds + seconds,
		endSeconds: word.endSeconds + seconds,
	}));
}
