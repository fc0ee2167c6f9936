/**
 * Assigns a speaker to each window: some of the windows are clustered to speakers, and every window is assigned to the nearest one. All thresholds come from
 * the manifest of the model's package, which also has the measurements behind them.
 */
import type { SpeakerShape } from "../models/campplus/shape.js";
import {
	foldSmall,
	type Group,
	groupsOf,
	growTree,
	mergeNear,
	nearestGroup,
} from "./groups.js";
import { kMeans } from "./k-means.js";
import { groupsApart, type LocalSpeaker } from "./local-speakers.js";
import { dot, partsOf, spectrumOf } from "./neighbour-graph.js";
import { type EmbeddingWindow, secondsOf } from "./windows.js";

/**
 * @param embeddings one for each window, of norm 1; undefined, zero or not finite where there is none.
 * @param count number of speakers; 0: estimated.
 * @param locals speakers of the 10 s spans, if available: they separate more speakers in recordings that are too short for the windows alone.
 * @returns a label for each window, from 0, in arbitrary order.
 */
export function labelSpeakers(
	windows: readonly EmbeddingWindow[],
	embeddings: readonly (Float32Array | undefined)[],
	shape: SpeakerShape,
	count: number,
	locals: readonly LocalSpeaker[] = [],
): number[] {
	const known = embeddings.map((it) =>
		it && isDirection(it) ? it : undefined,
	);
	const founders = foundersOf(windows, known, shape, count);
	if (founders.length === 0) return windows.map(() => 0);
	const found = findGroups(founders, shape, count);
	const apart = groupsApart(locals, shape, count);
	const groups = apart.length > found.length ? apart : found;
	const labels = known.map((it) => it && nearestGroup(it, groups));
	return withoutGaps(labels);
}

function findGroups(
	founders: readonly Float32Array[],
	shape: SpeakerShape,
	count: number,
): Group[] {
	if (count === 1)
		return [
			groupsOf(
				founders,
				founders.map(() => 0),
			)[0] as Group,
		];
	const isGiven = count > 0;
	const mergeCosine = isGiven ? shape.mergeCosineGiven : shape.mergeCosineFound;
	if (founders.length <= shape.treeWindowsMax)
		return isGiven
			? growTree(founders, 1 - mergeCosine, count)
			: growTree(founders, shape.treeDistance, shape.voicesMax);
	const spectrum = spectrumOf(founders, shape.neighbours);
	const parts = isGiven
		? Math.min(count, founders.length)
		: partsOf(spectrum, shape.voicesMax);
	const places = founders.map((_, index) => spectrum.place(index, parts));
	const found = groupsOf(founders, kMeans(places, parts));
	const windowsMin = isGiven ? shape.windowsMinGiven : shape.windowsMinFound;
	return mergeNear(foldSmall(found, windowsMin), mergeCosine);
}

/** Long windows, sampled evenly; all windows if there are fewer long ones than requested speakers. */
function foundersOf(
	windows: readonly EmbeddingWindow[],
	embeddings: readonly (Float32Array | undefined)[],
	{ foundingSeconds, foundingWindowsMax }: SpeakerShape,
	count: number,
): Float32Array[] {
	const known = windows.flatMap((window, i) => {
		const embedding = embeddings[i];
		return embedding ? [{ window, embedding }] : [];
	});
	const long = known.filter(
		({ window }) => secondsOf(window) >= foundingSeconds,
	);
	const all = (long.length >= Math.max(1, count) ? long : known).map(
		(it) => it.embedding,
	);
	if (all.length <= foundingWindowsMax) return all;
	return Array.from(
		{ length: foundingWindowsMax },
		(_, i) =>
			all[Math.floor((i * all.length) / foundingWindowsMax)] as Float32Array,
	);
}

function isDirection(embedding: Float32Array): boolean {
	const length = dot(embedding, embedding);
	return length > 0.9 && length < 1.1; // false for NaN
}

/** A window without a label gets the previous speaker, or at the beginning the next one. */
function withoutGaps(labels: readonly (number | undefined)[]): number[] {
	let last = labels.find((it) => it !== undefined) ?? 0;
	return labels.map((label) => {
		last = label ?? last;
		return last;
	});
}
