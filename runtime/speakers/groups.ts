/**
 * Groups of embeddings, one for each speaker: joined where they are too small, too similar, or too many. An embedding has norm 1; similarity is the cosine.
 */
import { dot } from "./neighbour-graph.js";

export interface Group {
	readonly members: readonly Float32Array[];
	/** The normalised mean. */
	readonly centre: Float32Array;
}

export function groupOf(members: readonly Float32Array[]): Group {
	const sum = new Float64Array(members[0]?.length ?? 0);
	for (const member of members)
		for (let i = 0; i < sum.length; i++)
			sum[i] = (sum[i] as number) + (member[i] as number);
	const length = Math.sqrt(dot(sum, sum)) || 1;
	return { members, centre: Float32Array.from(sum, (it) => it / length) };
}

/** @param labels by embedding. @returns no empty groups. */
export function groupsOf(
	embeddings: readonly Float32Array[],
	labels: readonly number[],
): Group[] {
	const members = new Map<number, Float32Array[]>();
	for (const [i, embedding] of embeddings.entries()) {
		const label = labels[i] as number;
		members.set(label, [...(members.get(label) ?? []), embedding]);
	}
	return [...members.values()].map(groupOf);
}

/** Merges the smallest group into its nearest until all have `membersMin` members. */
export function foldSmall(
	groups: readonly Group[],
	membersMin: number,
): Group[] {
	let left = [...groups];
	while (left.length > 1) {
		const smallest = left.reduce((a, b) =>
			b.members.length < a.members.length ? b : a,
		);
		if (smallest.members.length >= membersMin) break;
		const others = left.filter((it) => it !== smallest);
		const nearest = others[nearestGroup(smallest.centre, others)] as Group;
		left = joined(left, smallest, nearest);
	}
	return left;
}

/** Merges the two nearest groups until no two have a cosine of `cosineMin`. */
export function mergeNear(
	groups: readonly Group[],
	cosineMin: number,
): Group[] {
	let left = [...groups];
	for (;;) {
		let best: { a: Group; b: Group; cosine: number } | undefined;
		for (const [i, a] of left.entries())
			for (const b of left.slice(i + 1)) {
				const cosine = dot(a.centre, b.centre);
				if (cosine >= (best?.cosine ?? cosineMin)) best = { a, b, cosine };
			}
		if (!best) return left;
		left = joined(left, best.a, best.b);
	}
}

/**
 * Agglomerative clustering with average linkage: joins the two nearest groups while their distance (1 - cosine) is at most `distanceMax`, or there are too
 * many groups. For a few embeddings, which are not enough for a graph.
 */
export function growTree(
	embeddings: readonly Float32Array[],
	distanceMax: number,
	groupsMax: number,
	mayJoin: (a: Group, b: Group) => boolean = () => true,
): Group[] {
	const leaves = embeddings.map((it) => groupOf([it]));
	return joinNearest(leaves, distanceMax, groupsMax, mayJoin);
}

/** As growTree, from groups instead of embeddings. */
export function joinNearest(
	groups: readonly Group[],
	distanceMax: number,
	groupsMax: number,
	mayJoin: (a: Group, b: Group) => boolean = () => true,
): Group[] {
	let left = [...groups];
	while (left.length > 1) {
		let best: { a: Group; b: Group; distance: number } | undefined;
		for (const [i, a] of left.entries())
			for (const b of left.slice(i + 1)) {
				if (!mayJoin(a, b)) continue;
				const distance = averageDistance(a, b);
				if (!best || distance < best.distance) best = { a, b, distance };
			}
		if (!best) break;
		if (best.distance > distanceMax && left.length <= groupsMax) break;
		left = joined(left, best.a, best.b);
	}
	return left;
}

/** @returns the index of the group with the nearest centre. */
export function nearestGroup(
	embedding: Float32Array,
	groups: readonly Group[],
): number {
	let nearest = 0;
	let best = Number.NEGATIVE_INFINITY;
	for (const [i, { centre }] of groups.entries()) {
		const cosine = dot(embedding, centre);
		if (cosine <= best) continue;
		nearest = i;
		best = cosine;
	}
	return nearest;
}

function averageDistance(a: Group, b: Group): number {
	let sum = 0;
	for (const one of a.members)
		for (const other of b.members) sum += 1 - dot(one, other);
	return sum / (a.members.length * b.members.length);
}

function joined(groups: readonly Group[], a: Group, b: Group): Group[] {
	const both = groupOf([...a.members, ...b.members]);
	return [...groups.filter((it) => it !== a && it !== b), both];
}
