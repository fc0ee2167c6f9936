/**
 * Makes an utterance of a segment and its hypothesis: times become relative to the session, samples become milliseconds.
 */
import { sampleRateHz, samplesToMs } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Utterance, Word } from "./events.js";

interface TimeSpan {
	readonly beginMs: number;
	readonly endMs: number;
}

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
		words: withLengths(
			hypothesis.words.map((word) =>
				placeWord(word, startMs, { beginMs, endMs }),
			),
			{ beginMs, endMs },
		),
	};
}

/** Keeps times within the speech and in order, whatever the alignment returned. */
function placeWord(
	word: RecognizedWord,
	segmentMs: number,
	{ beginMs, endMs }: TimeSpan,
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

/**
 * Words that were aligned to the silence around the speech have no length within it; whoever highlights words would skip them. They share the time up to the
 * words next to them, or, where none is left, that of the word next to them. Punctuation marks keep their place in between, and take no time.
 */
function withLengths(words: readonly Word[], speech: TimeSpan): Word[] {
	const lengthened = [...words];
	for (let from = 0; from < words.length; from++) {
		if (!hasNoTime(words[from] as Word)) continue;
		let first = from;
		let end = words.findIndex(
			({ startMs, endMs }, i) => i > from && endMs > startMs,
		);
		if (end < 0) end = words.length;
		let beginMs = lengthened[first - 1]?.endMs ?? speech.beginMs;
		let endMs = words[end]?.startMs ?? speech.endMs;
		if (beginMs >= endMs && end < words.length)
			endMs = (words[end++] as Word).endMs;
		while (beginMs >= endMs && first > 0)
			beginMs = (lengthened[--first] as Word).startMs;
		const shared = divide({ beginMs, endMs }, lengthened.slice(first, end));
		lengthened.splice(first, shared.length, ...shared);
		from = end - 1;
	}
	return lengthened;
}

function hasNoTime({ kind, startMs, endMs }: Word): boolean {
	return kind !== "punc" && startMs >= endMs;
}

/** By the characters of the words. */
function divide({ beginMs, endMs }: TimeSpan, words: readonly Word[]): Word[] {
	const lengths = words.map(({ kind, text }) =>
		kind === "punc" ? 0 : text.length,
	);
	const msPerCharacter =
		(endMs - beginMs) /
		Math.max(
			1,
			lengths.reduce((a, b) => a + b, 0),
		);
	let characters = 0;
	return words.map((word, i) => {
		const startMs = Math.round(beginMs + characters * msPerCharacter);
		characters += lengths[i] as number;
		const endMs = Math.round(beginMs + characters * msPerCharacter);
		return { ...word, startMs, endMs };
	});
}

function within(ms: number, min: number, max: number): number {
	return Math.min(Math.max(Math.round(ms), min), max);
}
