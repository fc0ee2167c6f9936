/**
 * Finds where the language may change in a segment of mixed speech, and the spans that a model is queried about: spans of speech between pauses, and windows inside
 * long spans, because not every speaker pauses where the language changes.
 *
 * Pure: the model's answers are passed in.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { SampleRange, Segment } from "../segmentation/events.js";
import { sureLogOdds } from "../text/languages.js";
import { quietestSample } from "./quietest-sample.js";
import { spansBetween } from "./subsegment.js";

/** A span of speech, in the segment's sample numbers, and the log odds of the eastern language against English. */
export interface LanguageSpan extends SampleRange {
	readonly logOdds: number;
}

/** Shorter spans hardly show their language: they are joined to the nearer neighbour. */
const spanSamplesMin = 0.5 * sampleRateHz;
/** In longer spans the language may change. */
const windowedSamplesMin = 4 * sampleRateHz;
/** Of 760 windows of this length none was confidently wrong; of 860 of 1.5 s six were. */
const windowSamples = 2.5 * sampleRateHz;
const windowHopSamples = 1.25 * sampleRateHz;
/** A span with these log odds is in one language. */
const oneLanguageLogOdds = 5;

/** Speech between the segment's pauses. */
export function speechSpans(segment: Segment): SampleRange[] {
	const languageSpans = spansBetween(segment, segment.pauses);
	for (;;) {
		const short = languageSpans.findIndex(
			(it) => samplesIn(it) < spanSamplesMin,
		);
		if (short < 0 || languageSpans.length === 1) return languageSpans;
		const first = isNearerBefore(languageSpans, short) ? short - 1 : short;
		const [before, after] = languageSpans.slice(first) as [
			SampleRange,
			SampleRange,
		];
		const { startSample } = before;
		languageSpans.splice(first, 2, { startSample, endSample: after.endSample });
	}
}

function isNearerBefore(
	languageSpans: readonly SampleRange[],
	i: number,
): boolean {
	const gap = (before?: SampleRange, after?: SampleRange) =>
		before && after
			? after.startSample - before.endSample
			: Number.POSITIVE_INFINITY;
	const own = languageSpans[i];
	return gap(languageSpans[i - 1], own) <= gap(own, languageSpans[i + 1]);
}

/** The spans whose language a recognizer is to identify: each span of speech, and the windows in it. */
export class LanguageQueries {
	readonly #segment: Segment;
	readonly #speechSpans: readonly SampleRange[];
	readonly #windows: readonly (readonly SampleRange[])[];

	constructor(segment: Segment) {
		this.#segment = segment;
		this.#speechSpans = speechSpans(segment);
		this.#windows = this.#speechSpans.map(windowsIn);
	}

	/** Relative to the segment's first sample. */
	get spans(): readonly SampleRange[] {
		const { startSample } = this.#segment;
		return this.#inOrder().map((it) => ({
			startSample: it.startSample - startSample,
			endSample: it.endSample - startSample,
		}));
	}

	/** @param logOdds of the spans, in their order. @returns spans, split where the language changes inside them. */
	withLogOdds(logOdds: readonly number[]): LanguageSpan[] {
		const answers = this.#inOrder().map((it, i) => ({
			...it,
			logOdds: logOdds[i] ?? 0,
		}));
		const languageSpans: LanguageSpan[] = [];
		for (const windows of this.#windows) {
			const [span, ...inside] = answers.splice(0, 1 + windows.length);
			languageSpans.push(
				...cutAtChanges(span as LanguageSpan, inside, this.#segment),
			);
		}
		return languageSpans;
	}

	#inOrder(): SampleRange[] {
		return this.#speechSpans.flatMap((it, i) => [
			it,
			...(this.#windows[i] as readonly SampleRange[]),
		]);
	}
}

function windowsIn(span: SampleRange): SampleRange[] {
	if (samplesIn(span) < windowedSamplesMin) return [];
	const windows: SampleRange[] = [];
	for (let from = span.startSample; ; from += windowHopSamples) {
		const endSample = Math.min(span.endSample, from + windowSamples);
		windows.push({ startSample: endSample - windowSamples, endSample });
		if (endSample === span.endSample) return windows;
	}
}

/** Splits between windows that are surely of different languages, at the quietest moment between their middles. */
function cutAtChanges(
	span: LanguageSpan,
	windows: readonly LanguageSpan[],
	segment: Segment,
): LanguageSpan[] {
	if (Math.abs(span.logOdds) > oneLanguageLogOdds) return [span];
	const sure = windows.filter(isSure);
	if (sure.length === 0) return [span];
	const pieces: LanguageSpan[] = [];
	let { startSample } = span;
	let own: LanguageSpan[] = [];
	for (const window of sure) {
		const before = own.at(-1);
		if (before && before.logOdds > 0 !== window.logOdds > 0) {
			const cut = quietestSample(segment, middleOf(before), middleOf(window));
			pieces.push({ startSample, endSample: cut, logOdds: meanOdds(own) });
			startSample = cut;
			own = [];
		}
		own.push(window);
	}
	const { endSample } = span;
	return [...pieces, { startSample, endSample, logOdds: meanOdds(own) }];
}

export function isSure({ logOdds }: { readonly logOdds: number }): boolean {
	return Math.abs(logOdds) > sureLogOdds;
}

export function samplesIn({ startSample, endSample }: SampleRange): number {
	return endSample - startSample;
}

function middleOf({ startSample, endSample }: SampleRange): number {
	return Math.round((startSample + endSample) / 2);
}

function meanOdds(languageSpans: readonly LanguageSpan[]): number {
	const sum = languageSpans.reduce((all, it) => all + it.logOdds, 0);
	return sum / languageSpans.length;
}
