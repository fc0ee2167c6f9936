/**
 * Speech in a passage that got no words. Where two talk one after the other, a recognizer given both at once may write only one of them; its words' times show where
 * there was speech and hardly a word. Such a passage is split there and its segments are decoded on their own; their texts together count where they are longer.
 *
 * Splitting every passage at every pause would lose as much as it saves: within one speech context makes words recognizable (docs/benchmarks/rejected.md).
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { SampleRange, Segment, Silence } from "../segmentation/events.js";
import { voicedSeconds } from "../segmentation/voiced.js";
import { spansBetween, subsegment } from "./subsegment.js";

/** Between shorter pauses nobody else begins, or so seldom that checking costs more. */
const pauseSamplesMin = 0.35 * sampleRateHz;
/** Behind so long a one somebody else may speak. */
const changeSamplesMin = 0.7 * sampleRateHz;
const spanSamplesMin = 0.5 * sampleRateHz;
/** Slower than anybody speaks: Chinese and Japanese have five characters a second, English three words. */
const unitsPerSecondMin = 1;
/** Between two words, before the first and behind the last, so much sure speech has words of its own. */
const gapVoicedSecondsMin = 1.5;
/** In less there is no such gap, or it is found between pauses. */
const gapSegmentSamplesMin = 3 * sampleRateHz;
/** A word that lasts longer than this and so much a letter stands where speech was left out: its times are of no use. */
const wordSecondsMax = 0.8;
const letterSecondsMax = 0.15;
/** A word's times are so exact. */
const wordSlackSamples = 0.3 * sampleRateHz;
/** A word of letters is about two characters long to say. */
const unitsOfWord = 2;
/** Fewer say nothing: the segments may only have been recognized differently. */
const unitsGainedMin = 3;
/** Before a piece, of the pause. */
const leadSamples = 0.25 * sampleRateHz;

/** Whether it can be told at all, so that words are worth asking for. */
export function mayLoseSpeech(segment: Segment): boolean {
	const { speechStartSample, speechEndSample } = segment;
	return (
		longPauses(segment).length > 0 ||
		speechEndSample - speechStartSample >= gapSegmentSamplesMin
	);
}

/** Spans of speech between pauses with which no word has anything to do; none of a text whose words are not known. */
export function spansWithoutWords(
	segment: Segment,
	whole: Hypothesis,
): readonly SampleRange[] {
	const pauses = longPauses(segment);
	if (whole.words.length === 0 || pauses.length === 0) return [];
	const spoken = whole.words.map((it) => rangeOf(it, segment));
	return spansBetween(segment, pauses).filter(
		(span) => !spoken.some((word) => overlap(word, span)),
	);
}

/** @param whole with words. @returns the segments to be decoded on their own; none where every span of speech has its words. */
export function lostSpeechSegments(
	segment: Segment,
	whole: Hypothesis,
): Segment[] {
	// a recognizer without word times
	if (whole.text !== "" && whole.words.length === 0) return [];
	const borders = new Set([
		...bordersOfSpansWithoutWords(segment, whole),
		...gapBorders(segment, whole),
	]);
	if (borders.size === 0) return [];
	// what has none is a piece by itself; words that stand in the wrong place hide more of the kind
	for (const pause of segment.pauses)
		if (pause.endSample - pause.startSample >= changeSamplesMin)
			borders.add(pause);
	const cuts = [...borders].sort((a, b) => a.startSample - b.startSample);
	return segmentsBetween(segment, cuts);
}

/** Whether the segments have text that the whole left out. */
export function hasMoreText(
	pieces: readonly Hypothesis[],
	whole: Hypothesis,
): boolean {
	const together = pieces.reduce((sum, it) => sum + unitsOf(it.text), 0);
	return together >= unitsOf(whole.text) + unitsGainedMin;
}

function longPauses({ pauses }: Segment): readonly Silence[] {
	return pauses.filter(
		({ startSample, endSample }) => endSample - startSample >= pauseSamplesMin,
	);
}

/** The long pauses beside spans that have hardly any words. */
function bordersOfSpansWithoutWords(
	segment: Segment,
	whole: Hypothesis,
): readonly Silence[] {
	const pauses = longPauses(segment);
	const isBare = spansBetween(segment, pauses).map((it) =>
		hardlyHasWords(it, segment, whole),
	);
	return pauses.filter((_, i) => isBare[i] || isBare[i + 1]);
}

/** Where words end and speech goes on, and where they begin again: a pause that is there, or the moment itself. */
function gapBorders(segment: Segment, whole: Hypothesis): Silence[] {
	return spansBetween(segment, longPauses(segment)).flatMap((span) =>
		gapsIn(span, segment, whole).flatMap(({ startSample, endSample }) => [
			...(startSample > span.startSample
				? [borderAt(segment, startSample)]
				: []),
			...(endSample < span.endSample ? [borderAt(segment, endSample)] : []),
		]),
	);
}

/** In a span of speech that has words, those parts that have none. */
function gapsIn(
	span: SampleRange,
	segment: Segment,
	{ words }: Hypothesis,
): readonly SampleRange[] {
	const spoken = words
		.filter(isPlaced)
		.map((it) => rangeOf(it, segment))
		.filter((it) => overlap(it, span));
	const starts = [span.startSample, ...spoken.map((it) => it.endSample)];
	const ends = [...spoken.map((it) => it.startSample), span.endSample];
	return starts.flatMap((startSample, i) => {
		const endSample = ends[i] as number;
		const gap = {
			voiced: segment.voiced,
			speechStartSample: startSample,
			speechEndSample: endSample,
		};
		return voicedSeconds(gap) >= gapVoicedSecondsMin
			? [{ startSample, endSample }]
			: [];
	});
}

/** Where a word lies, by the segment's sample numbers. */
function rangeOf(
	{ startSeconds, endSeconds }: RecognizedWord,
	{ startSample }: Segment,
): SampleRange {
	const sampleAt = (seconds: number) =>
		startSample + Math.round(seconds * sampleRateHz);
	return {
		startSample: sampleAt(startSeconds),
		endSample: sampleAt(endSeconds),
	};
}

function overlap(one: SampleRange, other: SampleRange): boolean {
	return one.startSample < other.endSample && one.endSample > other.startSample;
}

function isPlaced({ kind, text, startSeconds, endSeconds }: RecognizedWord) {
	const longest = wordSecondsMax + letterSecondsMax * text.length;
	return kind === "normal" && endSeconds - startSeconds <= longest;
}

function borderAt({ pauses }: Segment, sample: number): Silence {
	const pause = pauses.find(
		({ startSample, endSample }) =>
			sample >= startSample - wordSlackSamples &&
			sample <= endSample + wordSlackSamples,
	);
	return pause ?? { startSample: sample, endSample: sample };
}

function hardlyHasWords(
	{ startSample, endSample }: SampleRange,
	segment: Segment,
	{ words }: Hypothesis,
): boolean {
	const samples = endSample - startSample;
	if (samples < spanSamplesMin) return false;
	const isIn = (word: RecognizedWord) => {
		if (!isPlaced(word)) return false;
		const middleSeconds = (word.startSeconds + word.endSeconds) / 2;
		const middle = segment.startSample + middleSeconds * sampleRateHz;
		return middle >= startSample && middle < endSample;
	};
	const units = words
		.filter(isIn)
		.reduce((sum, { text }) => sum + unitsOf(text), 0);
	return units < (unitsPerSecondMin * samples) / sampleRateHz;
}

function segmentsBetween(
	segment: Segment,
	cuts: readonly Silence[],
): Segment[] {
	return spansBetween(segment, cuts).map((speech, i) => {
		const before = cuts[i - 1];
		const after = cuts[i];
		const startSample = before
			? Math.max(before.startSample, before.endSample - leadSamples)
			: segment.startSample;
		const endSample = after
			? Math.min(after.endSample, after.startSample + leadSamples)
			: segment.endSample;
		return subsegment(segment, { startSample, endSample }, speech);
	});
}

/** How long a text is to say, in characters of Chinese. */
function unitsOf(text: string): number {
	const ideographs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu);
	const words = text.match(/[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}'’]*/gu);
	return (ideographs?.length ?? 0) + unitsOfWord * (words?.length ?? 0);
}
