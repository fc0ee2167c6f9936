/**
 * Where in a segment of mixed speech the language may change, and what is asked about it: stretches of speech between pauses, and windows inside the long
 * ones, because not everybody pauses where the language changes.
 *
 * Pure: what a model says of the spans is handed in.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import { sureLogOdds } from "../models/spoken-languages.js";
import type { SampleRange, Segment } from "../segmentation/events.js";
import { stretchesBetween } from "./pieces.js";

/** A stretch of speech, by the segment's sample numbers, and how much likelier it is the eastern language. */
export interface LanguageStretch extends SampleRange {
	readonly logOdds: number;
}

/** Shorter ones say little of their language: they belong to the nearer neighbour. */
const stretchSamplesMin = 0.5 * sampleRateHz;
/** In longer ones the language may change. */
const windowedSamplesMin = 4 * sampleRateHz;
/** Of 760 windows of this length none was surely the wrong language; of 860 of 1.5 s six were. */
const windowSamples = 2.5 * sampleRateHz;
const windowHopSamples = 1.25 * sampleRateHz;
/** A stretch as sure as this is of one language. */
const oneLanguageLogOdds = 5;
const quietSamples = 0.1 * sampleRateHz;
const quietStepSamples = 0.01 * sampleRateHz;

/** Speech between the segment's pauses. */
export function speechStretches(segment: Segment): SampleRange[] {
	const stretches = stretchesBetween(segment, segment.pauses);
	for (;;) {
		const short = stretches.findIndex((it) => lengthOf(it) < stretchSamplesMin);
		if (short < 0 || stretches.length === 1) return stretches;
		const first = isNearerBefore(stretches, short) ? short - 1 : short;
		const [before, after] = stretches.slice(first) as [
			SampleRange,
			SampleRange,
		];
		const { startSample } = before;
		stretches.splice(first, 2, { startSample, endSample: after.endSample });
	}
}

function isNearerBefore(stretches: readonly SampleRange[], i: number): boolean {
	const gap = (before?: SampleRange, after?: SampleRange) =>
		before && after
			? after.startSample - before.endSample
			: Number.POSITIVE_INFINITY;
	const own = stretches[i];
	return gap(stretches[i - 1], own) <= gap(own, stretches[i + 1]);
}

/** What a recognizer is to be asked about: each stretch with the windows in it. */
export class LanguageQuestions {
	readonly #segment: Segment;
	readonly #stretches: readonly SampleRange[];
	readonly #windows: readonly (readonly SampleRange[])[];

	constructor(segment: Segment) {
		this.#segment = segment;
		this.#stretches = speechStretches(segment);
		this.#windows = this.#stretches.map(windowsIn);
	}

	/** Counted from the segment's first sample. */
	get spans(): readonly SampleRange[] {
		const { startSample } = this.#segment;
		return this.#inOrder().map((it) => ({
			startSample: it.startSample - startSample,
			endSample: it.endSample - startSample,
		}));
	}

	/** @param logOdds of the spans, in their order. @returns stretches cut where the language changes inside them. */
	answered(logOdds: readonly number[]): LanguageStretch[] {
		const answers = this.#inOrder().map((it, i) => ({
			...it,
			logOdds: logOdds[i] ?? 0,
		}));
		const stretches: LanguageStretch[] = [];
		for (const windows of this.#windows) {
			const [stretch, ...inside] = answers.splice(0, 1 + windows.length);
			stretches.push(
				...cutAtChanges(stretch as LanguageStretch, inside, this.#segment),
			);
		}
		return stretches;
	}

	#inOrder(): SampleRange[] {
		return this.#stretches.flatMap((it, i) => [
			it,
			...(this.#windows[i] as readonly SampleRange[]),
		]);
	}
}

function windowsIn(stretch: SampleRange): SampleRange[] {
	if (lengthOf(stretch) < windowedSamplesMin) return [];
	const windows: SampleRange[] = [];
	for (let from = stretch.startSample; ; from += windowHopSamples) {
		const endSample = Math.min(stretch.endSample, from + windowSamples);
		windows.push({ startSample: endSample - windowSamples, endSample });
		if (endSample === stretch.endSample) return windows;
	}
}

/** Between windows that are surely of different languages, at the quietest moment between their middles. */
function cutAtChanges(
	stretch: LanguageStretch,
	windows: readonly LanguageStretch[],
	segment: Segment,
): LanguageStretch[] {
	if (Math.abs(stretch.logOdds) > oneLanguageLogOdds) return [stretch];
	const sure = windows.filter(isSure);
	if (sure.length === 0) return [stretch];
	const pieces: LanguageStretch[] = [];
	let { startSample } = stretch;
	let own: LanguageStretch[] = [];
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
	const { endSample } = stretch;
	return [...pieces, { startSample, endSample, logOdds: meanOdds(own) }];
}

function quietestSample(
	{ samples, startSample }: Segment,
	from: number,
	to: number,
): number {
	let quietest = Math.round((from + to) / 2);
	let least = Number.POSITIVE_INFINITY;
	for (let at = from; at + quietSamples <= to; at += quietStepSamples) {
		let energy = 0;
		const first = at - startSample;
		for (let i = first; i < first + quietSamples; i++)
			energy += (samples[i] ?? 0) ** 2;
		if (energy >= least) continue;
		least = energy;
		quietest = at + quietSamples / 2;
	}
	return quietest;
}

export function isSure({ logOdds }: { readonly logOdds: number }): boolean {
	return Math.abs(logOdds) > sureLogOdds;
}

export function lengthOf({ startSample, endSample }: SampleRange): number {
	return endSample - startSample;
}

function middleOf({ startSample, endSample }: SampleRange): number {
	return Math.round((startSample + endSample) / 2);
}

function meanOdds(stretches: readonly LanguageStretch[]): number {
	const sum = stretches.reduce((all, it) => all + it.logOdds, 0);
	return sum / stretches.length;
}
