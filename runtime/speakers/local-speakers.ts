/**
 * Relates speakers of the 10 s spans (local-spans.ts) to speakers of the recording: divides regions where the speaker changes, averages the embeddings of
 * each speaker of a span, and clusters them.
 */
import type { SpeakerShape } from "../models/campplus/shape.js";
import { windowSamples } from "../segmentation/speech-detector.js";
import { type Group, groupOf, growTree, joinNearest } from "./groups.js";
import { type LocalSpans, windowMs } from "./local-spans.js";
import { dot } from "./neighbour-graph.js";
import type { EmbeddingWindow, Region } from "./windows.js";

/** Minimum length of both parts of a divided region. */
const crumbMs = 250;
/** A window belongs to a local speaker who speaks alone in this share of it. */
const ownShareMin = 0.6;
/** A local speaker with less speech is not used. */
const localSecondsMin = 1;
/** A speaker of the recording has at least one local speaker with this much speech. */
const foundingSecondsMin = 1.5;
/** In longer recordings each speaker has enough windows without the local speakers (label-speakers.ts). */
const localsMax = 100;

/** One speaker of one span. */
export interface LocalSpeaker {
	readonly span: number;
	readonly speaker: number;
	/** The normalised mean. */
	readonly embedding: Float32Array;
	/** Of windows in which hardly anybody else speaks; 0: the embedding is from windows that others dominate. */
	readonly seconds: number;
}

/** Who spoke alone last, by the best span there. */
interface LastSpeaker {
	readonly span: number;
	readonly speaker: number;
	readonly window: number;
}

type LocalShape = Pick<
	SpeakerShape,
	"localDistance" | "mergeCosineGiven" | "voicesMax"
>;

/** @returns the regions, divided where the speaker changes within a span. */
export function dividedAtChanges(
	regions: readonly Region[],
	spans: LocalSpans,
): Region[] {
	return regions.flatMap(({ startMs, endMs }) => {
		const parts: Region[] = [];
		let fromMs = startMs;
		let last: LastSpeaker | undefined;
		const first = Math.floor(startMs / windowMs);
		for (let window = first; window * windowMs < endMs; window++) {
			const span = spans.best(window);
			if (span === undefined) continue;
			const [speaker, other] = spans.speakersIn(span, window);
			if (speaker === undefined || other !== undefined) continue;
			const cutMs = window * windowMs;
			const before = last && lastSpeaker(spans, span, last);
			const isChange = before !== undefined && before !== speaker;
			if (isChange && cutMs - fromMs >= crumbMs && endMs - cutMs >= crumbMs) {
				parts.push({ startMs: fromMs, endMs: cutMs });
				fromMs = cutMs;
			}
			last = { span, speaker, window };
		}
		return [...parts, { startMs: fromMs, endMs }];
	});
}

/** @returns the last speaker by the numbers of a span; undefined where it has no single speaker there. */
function lastSpeaker(
	spans: LocalSpans,
	span: number,
	last: LastSpeaker,
): number | undefined {
	if (last.span === span) return last.speaker;
	if (!spans.covering(last.window).includes(span)) return undefined;
	const [speaker, other] = spans.speakersIn(span, last.window);
	return other === undefined ? speaker : undefined;
}

/**
 * @param embeddings one for each window; undefined where there is none.
 * @returns speakers of spans; who is never alone for long has the embedding of the windows in which he is present.
 */
export function localSpeakersOf(
	windows: readonly EmbeddingWindow[],
	embeddings: readonly (Float32Array | undefined)[],
	spans: LocalSpans,
): LocalSpeaker[] {
	const alone = new Map<string, LocalSpeaker>();
	const present = new Map<string, LocalSpeaker>();
	for (const [i, window] of windows.entries()) {
		const embedding = embeddings[i];
		if (!embedding) continue;
		const first = Math.floor(window.startSample / windowSamples);
		const end = Math.ceil(window.endSample / windowSamples);
		for (const span of spansOf(spans, first, end)) {
			const speaker = onlySpeaker(spans, span, first, end);
			const seconds = ((end - first) * windowMs) / 1000;
			if (speaker !== undefined)
				addTo(alone, { span, speaker, embedding, seconds }, seconds);
			for (const [speaker, count] of speakingCounts(
				spans,
				span,
				first,
				end,
			).entries())
				if (count > 0)
					addTo(present, { span, speaker, embedding, seconds: 0 }, count);
		}
	}
	return [...new Map([...present, ...alone]).values()].map((it) => ({
		...it,
		embedding: groupOf([it.embedding]).centre,
	}));
}

function addTo(
	sums: Map<string, LocalSpeaker>,
	{ span, speaker, embedding, seconds }: LocalSpeaker,
	weight: number,
): void {
	const key = `${span}/${speaker}`;
	const before = sums.get(key);
	const sum = before?.embedding ?? new Float32Array(embedding.length);
	for (let k = 0; k < sum.length; k++)
		sum[k] = (sum[k] as number) + (embedding[k] as number) * weight;
	sums.set(key, {
		span,
		speaker,
		embedding: sum,
		seconds: seconds + (before?.seconds ?? 0),
	});
}

/**
 * Speakers of the recording, clustered from the local ones. Speakers of the same span are merged only if their voices are as similar as one voice: measured
 * (a phone call, a meeting, seven conversations of read speech), those of different people have cosines up to 0.50.
 * @param count more groups are joined at any distance; where spans forbid that, those with most speech are left. 0: unknown.
 */
export function groupsApart(
	locals: readonly LocalSpeaker[],
	{ localDistance, mergeCosineGiven, voicesMax }: LocalShape,
	count: number,
): Group[] {
	if (localDistance === undefined) return [];
	const used = locals.filter((it) => it.seconds >= localSecondsMin);
	if (used.length > localsMax) return [];
	const localOf = new Map(used.map((it) => [it.embedding, it]));
	const all = (group: Group) =>
		group.members.map((it) => localOf.get(it) as LocalSpeaker);
	const mayJoin = (a: Group, b: Group) =>
		dot(a.centre, b.centre) >= mergeCosineGiven ||
		!all(a).some(({ span }) => all(b).some((it) => it.span === span));
	const founded = growTree(
		used.map((it) => it.embedding),
		localDistance,
		Number.POSITIVE_INFINITY,
		mayJoin,
	).filter((it) =>
		all(it).some(({ seconds }) => seconds >= foundingSecondsMin),
	);
	const secondsOf = (group: Group) =>
		all(group).reduce((sum, { seconds }) => sum + seconds, 0);
	const groupsMax = count || voicesMax;
	return joinNearest(founded, localDistance, groupsMax, mayJoin)
		.toSorted((a, b) => secondsOf(b) - secondsOf(a))
		.slice(0, groupsMax);
}

/** Spans that cover the first or the last of these windows. */
function spansOf(spans: LocalSpans, first: number, end: number): Set<number> {
	return new Set([...spans.covering(first), ...spans.covering(end - 1)]);
}

function onlySpeaker(
	spans: LocalSpans,
	span: number,
	first: number,
	end: number,
): number | undefined {
	const alone = [0, 0, 0];
	for (let window = first; window < end; window++) {
		const [speaker, other] = spans.speakersIn(span, window);
		if (speaker !== undefined && other === undefined)
			alone[speaker] = (alone[speaker] as number) + 1;
	}
	const most = Math.max(...alone);
	return most >= ownShareMin * (end - first) ? alone.indexOf(most) : undefined;
}

/** @returns in how many of the windows each speaker of the span speaks. */
function speakingCounts(
	spans: LocalSpans,
	span: number,
	first: number,
	end: number,
): number[] {
	const counts = [0, 0, 0];
	for (let window = first; window < end; window++)
		for (const speaker of spans.speakersIn(span, window))
			counts[speaker] = (counts[speaker] as number) + 1;
	return counts;
}
