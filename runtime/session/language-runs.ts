/**
 * Turns spans of speech and their languages into runs of one language, each to be recognized separately, and decides which of two readings is kept.
 *
 * Speech in one language is not cut: context makes words recognizable.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import type { Language, LanguagePair } from "../text/languages.js";
import { isSure, type LanguageSpan, samplesIn } from "./language-spans.js";
import type { Part } from "./parts.js";
import { subsegment } from "./subsegment.js";

/** Neighbouring spans of one language. */
export interface LanguageRun extends LanguageSpan {
	/** Undefined: may be either. */
	readonly language: Language | undefined;
}

/** Shorter spans are identified twice, unless the first answer is beyond doubt: it is often that of the speech around them. */
const shortSamples = 2 * sampleRateHz;
/** Log odds with which the first answer for a short span is right: of 282 in mixed speech one was wrong with more, a letter. */
const shortSureLogOdds = 5;
/** Share of the second answer for a short span, which has the span alone. */
const secondShare = 2 / 3;
/** Length of a word rather than a sentence. */
const wordSamples = sampleRateHz;
/** Around a run, as far as it is silent there: a recognizer makes more errors on audio that is cut close to its start. */
const leadSamples = sampleRateHz;
/** In texts with this confidence nine words in ten are right. */
const confidenceSure = 0.9;
/** Weight of the language's log odds against the words' log odds: words in a wrong language are often likely, too. */
const weightOfLogOdds = 0.5;
/** The whole has a script's words, more or less, if it has this share of those in the runs. */
const shareKept = 0.9;
/** A word in letters takes about as long to say as two characters. */
const unitsOfWord = 2;

/** Spans whose language is to be identified once more, separately, because the speech around them may have decided it. */
export function doubtfulSpans(spans: readonly LanguageSpan[]): LanguageSpan[] {
	if (spans.length === 1) return [];
	const main = spans
		.filter(isSure)
		.reduce((sum, it) => sum + Math.sign(it.logOdds) * samplesIn(it), 0);
	if (main === 0) return [];
	return spans.filter(
		(it) =>
			!isSure(it) ||
			(isShort(it) &&
				(Math.abs(it.logOdds) < shortSureLogOdds ||
					it.logOdds > 0 !== main > 0)),
	);
}

/** @param again the log odds of the span alone: in a long span they replace those with context. */
export function withSecondQuery(
	span: LanguageSpan,
	again: number,
): LanguageSpan {
	const logOdds = isShort(span)
		? (1 - secondShare) * span.logOdds + secondShare * again
		: again;
	return { ...span, logOdds };
}

function isShort(span: LanguageSpan): boolean {
	return samplesIn(span) < shortSamples;
}

/** An unsure span between two of one language gets that language, unless it leans to the other. If none is sure, all are one run. */
export function languageRuns(
	spans: readonly LanguageSpan[],
	pair: LanguagePair,
): LanguageRun[] {
	const [first, ...others] = spans.map((it) => ({
		...it,
		language: isSure(it) ? leaning(it, pair) : undefined,
	}));
	if (!first) return [];
	const runs: LanguageRun[] = [first, ...others];
	if (!runs.some((it) => it.language)) return [others.reduce(joined, first)];
	const given = runs.map((run, i) => {
		if (run.language) return run;
		const language = languageAround(runs, i);
		return language === leaning(run, pair) ? { ...run, language } : run;
	});
	return withDoubtfulWords(joinedRuns(given));
}

/** The language of the nearest runs that have one, unless they differ. */
function languageAround(
	runs: readonly LanguageRun[],
	i: number,
): Language | undefined {
	const before = runs.slice(0, i).findLast((it) => it.language)?.language;
	const after = runs.slice(i).find((it) => it.language)?.language;
	return !before || !after || before === after ? (before ?? after) : undefined;
}

/** A word between sentences of the other language counts as its own language only if its reading confirms it. */
function withDoubtfulWords(runs: readonly LanguageRun[]): LanguageRun[] {
	const isWord = (it: LanguageRun) => samplesIn(it) < wordSamples;
	if (runs.every(isWord)) return [...runs];
	return runs.map((it) => (isWord(it) ? { ...it, language: undefined } : it));
}

function leaning(
	{ logOdds }: LanguageSpan,
	[eastern, english]: LanguagePair,
): Language {
	return logOdds > 0 ? eastern : english;
}

/** Joins neighbours of the same language. */
function joinedRuns(runs: readonly LanguageRun[]): LanguageRun[] {
	const all: LanguageRun[] = [];
	for (const run of runs) {
		const before = all.at(-1);
		if (before?.language && before.language === run.language)
			all.splice(-1, 1, joined(before, run));
		else all.push(run);
	}
	return all;
}

function joined(before: LanguageRun, run: LanguageRun): LanguageRun {
	const lengths = [samplesIn(before), samplesIn(run)] as const;
	const sum = before.logOdds * lengths[0] + run.logOdds * lengths[1];
	return {
		...before,
		endSample: run.endSample,
		logOdds: sum / (lengths[0] + lengths[1]),
	};
}

/** Decides runs that were read in both languages. A word with no text in either gets the language around it. @param readings by run. */
export function decidedRuns(
	runs: readonly LanguageRun[],
	readings: ReadonlyMap<LanguageRun, Hypothesis>,
): LanguageRun[] {
	const read = runs.map((run) => {
		const reading = readings.get(run);
		return reading ? { ...run, language: spokenIn(reading) } : run;
	});
	return joinedRuns(
		read.map((run, i) =>
			run.language ? run : { ...run, language: languageAround(read, i) },
		),
	);
}

function spokenIn({ text, spokenIn }: Hypothesis): Language | undefined {
	return text === "" ? undefined : spokenIn;
}

/** A run as a separate segment, with context up to the middle of the pauses around it. */
export function runSegment(
	segment: Segment,
	runs: readonly LanguageSpan[],
	i: number,
): Segment {
	const speech = runs[i] as LanguageSpan;
	const before = runs[i - 1]?.endSample;
	const after = runs[i + 1]?.startSample;
	const startSample =
		before === undefined
			? segment.startSample
			: Math.max(
					Math.round((before + speech.startSample) / 2),
					speech.startSample - leadSamples,
				);
	const endSample =
		after === undefined
			? segment.endSample
			: Math.min(
					Math.round((after + speech.endSample) / 2),
					speech.endSample + leadSamples,
				);
	return subsegment(segment, { startSample, endSample }, speech);
}

/** A text of high confidence in the language that the sound leans to: the other language need not be tried. */
export function isBeyondDoubt(
	{ text, confidence, spokenIn }: Hypothesis,
	run: LanguageRun,
	pair: LanguagePair,
): boolean {
	const isLeaning = spokenIn === leaning(run, pair);
	return text !== "" && isLeaning && confidence >= confidenceSure;
}

/**
 * The likelier of two readings of the same sound, by their words and by the language of the sound. The same words in both ("1, 2, 3") say nothing about the
 * language, however confident each is.
 */
export function likelierReading(
	eastern: Hypothesis,
	english: Hypothesis,
	logOdds: number,
): Hypothesis {
	if (english.text === "") return eastern;
	if (eastern.text === "") return english;
	if (logOdds !== 0 && wordsOf(eastern) === wordsOf(english))
		return logOdds > 0 ? eastern : english;
	const gain =
		logOddOf(eastern.confidence) -
		logOddOf(english.confidence) +
		weightOfLogOdds * logOdds;
	return gain >= 0 ? eastern : english;
}

/** Letters and digits alone: marks and spaces differ between languages. */
function wordsOf({ text }: Hypothesis): string {
	return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Natural log odds of a confidence, within 7. */
export function logOddOf(confidence: number): number {
	const within = Math.min(0.999, Math.max(0.001, confidence));
	return Math.log(within / (1 - within));
}

/** Whether one reading of the whole segment contains what was recognized in its runs: then the languages change within sentences. */
export function holdsAll(whole: Hypothesis, runs: readonly Part[]): boolean {
	const all = scriptUnits([whole]);
	const own = scriptUnits(runs.map((it) => it.hypothesis));
	if (all.latin <= own.latin && lacksDigits(whole, runs)) return false;
	return (
		all.eastern >= shareKept * own.eastern && all.latin >= shareKept * own.latin
	);
}

/** An English run of digits alone ("1, 2, 3.") has no letter that the whole, where it is 一二三, could lack. */
function lacksDigits(whole: Hypothesis, runs: readonly Part[]): boolean {
	const digits = digitsOf(whole);
	return runs.some(
		({ hypothesis, spokenIn }) =>
			spokenIn === "en-US" &&
			!/\p{L}/u.test(hypothesis.text) &&
			!digits.includes(digitsOf(hypothesis)),
	);
}

function digitsOf({ text }: Hypothesis): string {
	return text.normalize("NFKC").replace(/\P{Nd}/gu, "");
}

function scriptUnits(hypotheses: readonly Hypothesis[]) {
	const text = hypotheses.map((it) => it.text).join("\n");
	const characters = text.match(
		/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu,
	)?.length;
	const words = text.match(/\p{sc=Latin}[\p{sc=Latin}'’]*/gu)?.length;
	return { eastern: characters ?? 0, latin: unitsOfWord * (words ?? 0) };
}
