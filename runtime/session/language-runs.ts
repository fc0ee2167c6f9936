/**
 * From spans of speech and their languages to runs of one language, each to be recognised by itself, and which of two readings stands.
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
	/** Undefined: it may be either. */
	readonly language: Language | undefined;
}

/** Shorter ones that contradict the rest of their segment are identified twice. */
const shortSamples = 2 * sampleRateHz;
/** A word, and no sentence. */
const wordSamples = sampleRateHz;
/** Around a run, as far as it is silent there: a recognizer makes more errors on a beginning that is cut close. */
const leadSamples = sampleRateHz;
/** Of texts as sure as this nine words in ten are right. */
const confidenceSure = 0.9;
/** What a log-odd of the language weighs against one of the words: so much of a wrong language's words is likely, too. */
const weightOfLogOdds = 0.5;
/** The whole has a script's words, more or less, where it has so much of what the runs have. */
const shareKept = 0.9;
/** A word of letters is about two characters long to say. */
const unitsOfWord = 2;

/** Spans whose language is to be identified on their own, because the speech around them may have decided it. */
export function doubtfulSpans(spans: readonly LanguageSpan[]): LanguageSpan[] {
	if (spans.length === 1) return [];
	const main = spans
		.filter(isSure)
		.reduce((sum, it) => sum + Math.sign(it.logOdds) * samplesIn(it), 0);
	if (main === 0) return [];
	return spans.filter(
		(it) =>
			!isSure(it) ||
			(samplesIn(it) < shortSamples && it.logOdds > 0 !== main > 0),
	);
}

/** @param again the log odds of the span on its own: for a long one the speech around it is no longer of use. */
export function withSecondQuery(
	span: LanguageSpan,
	again: number,
): LanguageSpan {
	const isShort = samplesIn(span) < shortSamples;
	const logOdds = isShort ? (span.logOdds + again) / 2 : again;
	return { ...span, logOdds };
}

/** An unsure span between two of one language is theirs, unless it leans to the other one. Where none is sure, all are one run. */
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

/** Of the nearest runs that have one, where they don't differ. */
function languageAround(
	runs: readonly LanguageRun[],
	i: number,
): Language | undefined {
	const before = runs.slice(0, i).findLast((it) => it.language)?.language;
	const after = runs.slice(i).find((it) => it.language)?.language;
	return !before || !after || before === after ? (before ?? after) : undefined;
}

/** A word between sentences of the other language is of its own only if it reads so. */
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

/** Neighbours of one language are one run. */
export function joinedRuns(runs: readonly LanguageRun[]): LanguageRun[] {
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

/** Runs that were read in both languages. A word that reads in neither is what is around it. @param readings by run. */
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

/** A run as a segment of its own, with what lies around it up to the middle of the pauses. */
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

/** A text that nobody doubts, in the language that the sound leans to: the other one need not be tried. */
export function isBeyondDoubt(
	{ text, confidence, spokenIn }: Hypothesis,
	run: LanguageRun,
	pair: LanguagePair,
): boolean {
	const isLeaning = spokenIn === leaning(run, pair);
	return text !== "" && isLeaning && confidence >= confidenceSure;
}

/** Of the same sound in two languages, the likelier one: by its words, and by what the sound says of its language. */
export function likelierReading(
	eastern: Hypothesis,
	english: Hypothesis,
	logOdds: number,
): Hypothesis {
	if (english.text === "") return eastern;
	if (eastern.text === "") return english;
	const gain =
		logOdd(eastern.confidence) -
		logOdd(english.confidence) +
		weightOfLogOdds * logOdds;
	return gain >= 0 ? eastern : english;
}

function logOdd(confidence: number): number {
	const within = Math.min(0.999, Math.max(0.001, confidence));
	return Math.log(within / (1 - within));
}

/** Whether one reading of a whole segment has what was recognized in its runs: then the languages change within sentences. */
export function holdsAll(whole: Hypothesis, runs: readonly Part[]): boolean {
	const all = scriptUnits([whole]);
	const own = scriptUnits(runs.map((it) => it.hypothesis));
	return (
		all.eastern >= shareKept * own.eastern && all.latin >= shareKept * own.latin
	);
}

function scriptUnits(hypotheses: readonly Hypothesis[]) {
	const text = hypotheses.map((it) => it.text).join("\n");
	const characters = text.match(
		/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu,
	)?.length;
	const words = text.match(/\p{sc=Latin}[\p{sc=Latin}'’]*/gu)?.length;
	return { eastern: characters ?? 0, latin: unitsOfWord * (words ?? 0) };
}
