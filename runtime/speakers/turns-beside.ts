/** Second speakers where two speak at once: who they are, and when. */

import type { Group } from "./groups.js";
import { type LocalSpans, windowMs } from "./local-spans.js";
import type { LocalSpeaker } from "./local-speakers.js";
import { dot } from "./neighbour-graph.js";
import type { SpeakerTurn } from "./turns.js";
import type { Region } from "./windows.js";

/** A shorter overlap is an inaccurate boundary between two speakers. */
const overlapMsMin = 100;

/**
 * Turns of second speakers, where at least half of the spans have two speakers.
 * @param turns in order, without overlaps.
 * @param groups one per speaker; numbers[i] is the number of groups[i].
 */
export function turnsBeside(
	turns: readonly SpeakerTurn[],
	regions: readonly Region[],
	spans: LocalSpans,
	locals: readonly LocalSpeaker[],
	groups: readonly Group[],
	numbers: readonly number[],
): SpeakerTurn[] {
	if (groups.length < 2) return [];
	const speakers = speakersOf(locals, groups, numbers);
	const beside: SpeakerTurn[] = [];
	let at = 0;
	for (const { startMs, endMs } of regions) {
		let open: { startMs: number; endMs: number; speaker: number } | undefined;
		const close = () => {
			if (open && open.endMs - open.startMs >= overlapMsMin)
				beside.push({ ...open, beside: true });
			open = undefined;
		};
		for (
			let window = Math.ceil(startMs / windowMs);
			(window + 1) * windowMs <= endMs;
			window++
		) {
			const ms = window * windowMs;
			while ((turns[at]?.endMs ?? Number.POSITIVE_INFINITY) <= ms) at++;
			const speaker = otherAt(window, turns[at]?.speaker, spans, speakers);
			if (speaker !== open?.speaker) close();
			if (speaker === undefined) continue;
			open ??= { startMs: ms, endMs: ms, speaker };
			open.endMs = ms + windowMs;
		}
		close();
	}
	return beside;
}

/** @param speakers by span and local speaker. @returns the second speaker in a window. */
function otherAt(
	window: number,
	main: number | undefined,
	spans: LocalSpans,
	speakers: ReadonlyMap<string, number>,
): number | undefined {
	const places = spans.covering(window);
	const votes = new Map<number, number>();
	let two = 0;
	for (const span of places) {
		const speakersThere = spans.speakersIn(span, window);
		if (speakersThere.length < 2) continue;
		two++;
		for (const local of speakersThere) {
			const speaker = speakers.get(`${span}/${local}`);
			if (speaker === undefined || speaker === main) continue;
			votes.set(speaker, (votes.get(speaker) ?? 0) + 1);
		}
	}
	if (two === 0 || two * 2 < places.length) return undefined;
	return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** @returns the speaker of the recording by span and local speaker; those of one span are different ones. */
function speakersOf(
	locals: readonly LocalSpeaker[],
	groups: readonly Group[],
	numbers: readonly number[],
): Map<string, number> {
	const bySpan = new Map<number, LocalSpeaker[]>();
	for (const local of locals)
		bySpan.set(local.span, [...(bySpan.get(local.span) ?? []), local]);
	const speakers = new Map<string, number>();
	for (const [span, those] of bySpan) {
		const choices = those.map((it) => nearestOf(it, groups, those.length));
		for (const [i, group] of assign(choices).groups.entries())
			if (group !== undefined)
				speakers.set(`${span}/${those[i]?.speaker}`, numbers[group] as number);
	}
	return speakers;
}

interface Choice {
	readonly group: number;
	readonly cosine: number;
}

/** The nearest groups: as many as the span has speakers, one of which is left whatever the others get. */
function nearestOf(
	{ embedding }: LocalSpeaker,
	groups: readonly Group[],
	count: number,
): Choice[] {
	return groups
		.map(({ centre }, group) => ({ group, cosine: dot(embedding, centre) }))
		.sort((a, b) => b.cosine - a.cosine)
		.slice(0, count);
}

/** @returns the groups of the local speakers, no two the same, with the largest sum of cosines; undefined where there are too few groups. */
function assign(
	choices: readonly (readonly Choice[])[],
	taken: readonly number[] = [],
): { groups: readonly (number | undefined)[]; sum: number } {
	const [own, ...others] = choices;
	if (!own) return { groups: [], sum: 0 };
	const unassigned = assign(others, taken);
	let best = {
		groups: [undefined, ...unassigned.groups] as (number | undefined)[],
		sum: unassigned.sum - 2, // worse than any cosine
	};
	for (const { group, cosine } of own) {
		if (taken.includes(group)) continue;
		const rest = assign(others, [...taken, group]);
		const sum = cosine + rest.sum;
		if (sum > best.sum) best = { groups: [group, ...rest.groups], sum };
	}
	return best;
}
