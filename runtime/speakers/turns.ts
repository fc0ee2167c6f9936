/**
 * From the labels of windows to turns. Turns cover the regions; where two windows of a region differ, the turn changes midway between them.
 */
import { centreMs, type EmbeddingWindow, type Region } from "./windows.js";

/** A time in which one speaker talks. */
export interface SpeakerTurn extends Region {
	/** From 1, by first appearance. */
	readonly speaker: number;
	/** Set for a second speaker: another one speaks at the same time, in a turn without this. */
	readonly beside?: true;
}

/** From 1, by first appearance. @param labels of windows, in order. @returns the number of each label. */
export function numbersOf(labels: readonly number[]): Map<number, number> {
	const numbers = new Map<number, number>();
	for (const label of labels)
		if (!numbers.has(label)) numbers.set(label, numbers.size + 1);
	return numbers;
}

/** @param windows ordered by region, then by time. @param labels by window, in any numbering. */
export function turnsOf(
	regions: readonly Region[],
	windows: readonly EmbeddingWindow[],
	labels: readonly number[],
): SpeakerTurn[] {
	const numbers = numbersOf(labels);
	const turns: SpeakerTurn[] = [];
	let at = 0;
	for (const [index, region] of regions.entries()) {
		let startMs = region.startMs;
		for (; windows[at]?.region === index; at++) {
			const label = labels[at] as number;
			const speaker = numbers.get(label) as number;
			const next = windows[at + 1];
			const isLast = next?.region !== index;
			if (!isLast && labels[at + 1] === label) continue;
			const endMs = isLast
				? region.endMs
				: Math.round(
						(centreMs(windows[at] as EmbeddingWindow) + centreMs(next)) / 2,
					);
			turns.push({ startMs, endMs, speaker });
			startMs = endMs;
		}
	}
	return turns;
}
