/**
 * The windows for which embeddings are computed, in regions with speech. A region that is longer than a window gets several, overlapping by half,
 * the last one aligned to its end; a shorter one is a single window, extended into its surroundings where it is too short for an embedding.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { SpeakerShape } from "../models/campplus/shape.js";

const samplesPerMs = sampleRateHz / 1000;

/** A range with speech. */
export interface Region {
	readonly startMs: number;
	readonly endMs: number;
}

export interface EmbeddingWindow {
	/** Index of its region in the list. */
	readonly region: number;
	readonly startSample: number;
	readonly endSample: number;
}

type WindowShape = Pick<
	SpeakerShape,
	"windowSeconds" | "hopSeconds" | "shortestSeconds"
>;

/** Regions in order, without overlaps, negative times and empty regions. */
export function soundRegions(regions: readonly Region[]): Region[] {
	const sound: Region[] = [];
	let coveredMs = 0;
	for (const region of regions.toSorted((a, b) => a.startMs - b.startMs)) {
		const startMs = Math.max(region.startMs, coveredMs);
		if (!(region.endMs > startMs)) continue; // also skips NaN
		sound.push({ startMs, endMs: region.endMs });
		coveredMs = region.endMs;
	}
	return sound;
}

/** @param regions in order. @returns windows ordered by region, then by time. */
export function windowsOf(
	regions: readonly Region[],
	shape: WindowShape,
): EmbeddingWindow[] {
	return regions.flatMap((region, index) =>
		rangesOf(region, shape).map(([startSample, endSample]) => ({
			region: index,
			startSample,
			endSample,
		})),
	);
}

function rangesOf(region: Region, shape: WindowShape): [number, number][] {
	const start = Math.round(region.startMs * samplesPerMs);
	const end = Math.round(region.endMs * samplesPerMs);
	const size = Math.round(shape.windowSeconds * sampleRateHz);
	if (end - start <= size) return [widened(start, end, shape)];
	const hop = Math.round(shape.hopSeconds * sampleRateHz);
	const ranges: [number, number][] = [];
	let at = start;
	for (; at + size <= end; at += hop) ranges.push([at, at + size]);
	if (at - hop + size < end) ranges.push([end - size, end]);
	return ranges;
}

function widened(
	start: number,
	end: number,
	{ shortestSeconds }: WindowShape,
): [number, number] {
	const shortest = Math.round(shortestSeconds * sampleRateHz);
	const missing = shortest - (end - start);
	if (missing <= 0) return [start, end];
	const from = Math.max(0, start - Math.floor(missing / 2));
	return [from, from + shortest];
}

export function secondsOf({ startSample, endSample }: EmbeddingWindow): number {
	return (endSample - startSample) / sampleRateHz;
}

/** Middle of the window. */
export function centreMs({ startSample, endSample }: EmbeddingWindow): number {
	return (startSample + endSample) / 2 / samplesPerMs;
}
