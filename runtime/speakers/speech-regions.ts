/**
 * Divides regions at their pauses: the speaker changes mostly there, and a window that spans a pause may contain two speakers.
 * The turns of the divided regions are then extended to the whole regions.
 *
 * Measured (24 dialogues of read speech, then a phone call; speech assigned to the wrong speaker, %): whole sentences 0.98, 8.6; divided at pauses of 0.5 s
 * 0.63, 8.6, of 0.3 s 0.50, 5.8; at every pause 2.14, 5.4: windows become too short to count speakers.
 */
import type { Segment } from "../segmentation/events.js";
import type { SpeakerTurn } from "./turns.js";
import type { Region } from "./windows.js";

const samplesPerMs = 16;

/** The parts of a segment between pauses of at least this length. */
export function speechRegionsOf(
	{ speechStartSample, speechEndSample, pauses }: Segment,
	pauseSecondsMin: number,
): Region[] {
	const samplesMin = pauseSecondsMin * 1000 * samplesPerMs;
	const long = pauses.filter(
		({ startSample, endSample }) => endSample - startSample >= samplesMin,
	);
	const starts = [speechStartSample, ...long.map((it) => it.endSample)];
	const ends = [...long.map((it) => it.startSample), speechEndSample];
	return starts.map((start, i) => ({
		startMs: start / samplesPerMs,
		endMs: (ends[i] as number) / samplesPerMs,
	}));
}

/**
 * @param speech ranges with speech, in order.
 * @param crumbMs a shorter piece that a region's boundary cuts from a range is left to the neighbouring region.
 * @returns the intersections, in order; a region without speech is returned whole.
 */
export function dividedRegions(
	regions: readonly Region[],
	speech: readonly Region[],
	crumbMs: number,
): Region[] {
	const divided: Region[] = [];
	let first = 0;
	for (const region of regions) {
		while ((speech[first]?.endMs ?? Number.POSITIVE_INFINITY) <= region.startMs)
			first++;
		const before = divided.length;
		for (let i = first; i < speech.length; i++) {
			const { startMs, endMs } = speech[i] as Region;
			if (startMs >= region.endMs) break;
			const from = Math.max(startMs, region.startMs);
			const to = Math.min(endMs, region.endMs);
			const isCut = from > startMs || to < endMs;
			if (isCut && to - from < crumbMs) continue;
			divided.push({ startMs: from, endMs: to });
		}
		if (divided.length === before) divided.push(region);
	}
	return divided;
}

/** @param turns of the divided regions. @returns turns that cover the whole regions: a pause between two speakers is split in half. */
export function coveringTurns(
	regions: readonly Region[],
	turns: readonly SpeakerTurn[],
): SpeakerTurn[] {
	const covering: SpeakerTurn[] = [];
	let at = 0;
	for (const region of regions) {
		let { startMs } = region;
		for (
			;
			(turns[at]?.endMs ?? Number.POSITIVE_INFINITY) <= region.endMs;
			at++
		) {
			const { speaker, endMs } = turns[at] as SpeakerTurn;
			const next = turns[at + 1];
			const isLast = !next || next.endMs > region.endMs;
			if (!isLast && next.speaker === speaker) continue;
			const until = isLast
				? region.endMs
				: Math.round((endMs + next.startMs) / 2);
			covering.push({ startMs, endMs: until, speaker });
			startMs = until;
		}
	}
	return covering;
}
