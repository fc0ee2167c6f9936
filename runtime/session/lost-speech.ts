/**
 * Finds speech in a passage that got no words. When two people speak one after the other, a recognizer given both may write only one of them; word times show where
 * there was speech and hardly a word. Such a passage is split there and the pieces are decoded separately; their joined text is used if it is longer.
 *
 * Splitting every passage at every pause would lose as much as it saves: context within one speech makes words recognizable (docs/benchmarks/rejected.md).
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis, RecognizedWord } from "../models/recognizer.js";
import type { SampleRange, Segment, Silence } from "../segmentation/events.js";
import { voicedSeconds } from "../segmentation/voiced.js";
import { quietestSample } from "./quietest-sample.js";
import { spansBetween, subsegment } from "./subsegment.js";

/** A change of speaker at a shorter pause is so rare that checking costs more. */
const pauseSamplesMin = 0.35 * sampleRateHz;
/** After a pause this long another speaker may talk. */
const changeSamplesMin = 0.7 * sampleRateHz;
const spanSamplesMin = 0.5 * sampleRateHz;
/** Slower than anyone speaks: Chinese and Japanese have five characters a second, English three words. */
const unitsPerSecondMin = 1;
/** Voiced seconds between two words, before the first or after the last, from which words must be missing. */
const gapVoicedSecondsMin = 1.5;
/** In shorter segments there is no such gap, or it lies between pauses. */
const gapSegmentSamplesMin = 3 * sampleRateHz;
/** A word longer than this plus an allowance per letter spans left-out speech: its times are unusable. */
const wordSecondsMax = 0.8;
const letterSecondsMax = 0.15;
/** Less speech without words of its own is not divided: its halves would have no context. */
const dividedSamplesMin = 4 * sampleRateHz;
/** Accuracy of word times. */
const wordSlackSamples = 0.3 * sampleRateHz;
/** A word in letters takes about as long to say as two characters. */
const unitsOfWord = 2;
/** A smaller gain means nothing: the pieces may merely have been recognized differently. */
const unitsGainedMin = 3;
/** Part of the pause kept around a piece. */
const leadSamples = 0.25 * sampleRateHz;

/** Whether lost speech could be found, so that words are worth requesting. */
export function mayLoseSpeech(segment: Segment): boolean {
	const { speechStartSample, speechEndSample } = segment;
	return (
		longPauses(segment).length > 0 ||
		speechEndSample - speechStartSample >= gapSegmentSamplesMin
	);
}

/** Spans of speech between pauses that no word overlaps; none if the text has no words. */
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

/** @param whole with words. @returns the segments to decode separately; none if every span of speech has its words. */
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
	// a span without words becomes a separate piece; misplaced words may hide more such spans
	for (const pause of segment.pauses)
		if (pause.endSample - pause.startSample >= changeSamplesMin)
			borders.add(pause);
	const cuts = [...borders].sort((a, b) => a.startSample - b.startSample);
	return segmentsBetween(segment, cuts);
}

/** Whether the pieces have text that the whole left out. */
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

/**
 * The long pauses next to speech that has hardly any words. Spans beside each other that have none at all are one: of a number that is said digit by digit each
 * would be too short, and decoded alone it has no context.
 */
function bordersOfSpansWithoutWords(
	segment: Segment,
	whole: Hypothesis,
): readonly Silence[] {
	const pauses = longPauses(segment);
	const spans = spansBetween(segment, pauses);
	const units = spans.map((it) => unitsIn(it, segment, whole));
	const hasWords = units.some((it) => it > 0);
	const borders: Silence[] = [];
	for (let first = 0, after = 0; first < spans.length; first = after) {
		after = first + 1;
		if (units[first] === 0 && hasWords) while (units[after] === 0) after++;
		const together = spans.slice(first, after);
		if (hasTooFewWords(together, units[first] as number))
			borders.push(
				...pauses.slice(Math.max(0, first - 1), first),
				...pauses.slice(after - 1, after),
			);
	}
	return borders;
}

/** Where words end while speech continues, and where they begin again: at a pause if there is one, else at that moment. */
function gapBorders(segment: Segment, whole: Hypothesis): Silence[] {
	const spans = spansBetween(segment, longPauses(segment));
	return spans.flatMap((span) =>
		gapsIn(span, segment, whole).flatMap((gap) => {
			const { startSample, endSample } = gap;
			const isLeft = startSample > span.startSample;
			const isRight = endSample < span.endSample;
			// no word has a usable place in it, as one that is said to last for seconds, and there is nothing else to divide it at
			if (!isLeft && !isRight && spans.length === 1)
				return middleOf(gap, segment, whole);
			return [
				...(isLeft ? [borderAt(segment, startSample)] : []),
				...(isRight ? [borderAt(segment, endSample)] : []),
			];
		}),
	);
}

/** @returns none where the text is empty: a guard has judged that, or nobody speaks. */
function middleOf(
	{ startSample, endSample }: SampleRange,
	segment: Segment,
	{ text }: Hypothesis,
): Silence[] {
	const quarter = Math.round((endSample - startSample) / 4);
	if (text === "" || quarter < dividedSamplesMin / 4) return [];
	const middle = quietestSample(
		segment,
		startSample + quarter,
		endSample - quarter,
	);
	return [borderAt(segment, middle)];
}

/** The parts of a span of speech that have no words. */
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

/** The range of a word, in the segment's sample numbers. */
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

/** @param units of all of them. */
function hasTooFewWords(spans: readonly SampleRange[], units: number): boolean {
	const samples = spans.reduce(
		(sum, { startSample, endSample }) => sum + endSample - startSample,
		0,
	);
	if (samples < spanSamplesMin) return false;
	return units < (unitsPerSecondMin * samples) / sampleRateHz;
}

/** Length of the words whose middle lies in the span. */
function unitsIn(
	{ startSample, endSample }: SampleRange,
	segment: Segment,
	{ words }: Hypothesis,
): number {
	const isIn = (word: RecognizedWord) => {
		if (!isPlaced(word)) return false;
		const middleSeconds = (word.startSeconds + word.endSeconds) / 2;
		const middle = segment.startSample + middleSeconds * sampleRateHz;
		return middle >= startSample && middle < endSample;
	};
	return words.filter(isIn).reduce((sum, { text }) => sum + unitsOf(text), 0);
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

/** Length of a text when spoken, in Chinese characters. */
function unitsOf(text: string): number {
	const ideographs = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu);
	const words = text.match(/[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}'’]*/gu);
	return (ideographs?.length ?? 0) + unitsOfWord * (words?.length ?? 0);
}
