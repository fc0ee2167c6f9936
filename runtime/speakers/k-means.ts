/**
 * k-means with well-spread initial centres (Arthur and Vassilvitskii, "k-means++", 2007). The random numbers have a fixed seed: equal points give equal
 * groups.
 */
const tries = 10;
const roundsMax = 100;
const seed = 20_261_121;

type Point = Float64Array;

/** @returns the group of each point, below `groups`; some may be empty. */
export function kMeans(points: readonly Point[], groups: number): number[] {
	const random = seeded(seed);
	let best: { labels: number[]; spread: number } | undefined;
	for (let attempt = 0; attempt < tries; attempt++) {
		const found = settle(points, firstCentres(points, groups, random));
		if (!best || found.spread < best.spread) best = found;
	}
	return best?.labels ?? [];
}

function settle(points: readonly Point[], centres: Point[]) {
	let labels: number[] = [];
	for (let round = 0; round < roundsMax; round++) {
		const next = points.map((point) => nearest(point, centres).index);
		if (next.every((label, i) => label === labels[i])) break;
		labels = next;
		moveCentres(points, labels, centres);
	}
	const spread = points.reduce(
		(sum, point) => sum + nearest(point, centres).distance,
		0,
	);
	return { labels, spread };
}

/** Each new centre is a random point, with a probability that grows with the distance from the existing centres. */
function firstCentres(
	points: readonly Point[],
	groups: number,
	random: () => number,
): Point[] {
	const first = points[Math.floor(random() * points.length)] as Point;
	const centres = [Float64Array.from(first)];
	while (centres.length < groups) {
		const away = points.map((point) => nearest(point, centres).distance);
		const total = away.reduce((sum, it) => sum + it, 0);
		let left = random() * total;
		let chosen = away.findIndex((it) => {
			left -= it;
			return left < 0;
		});
		// all points coincide with centres
		if (chosen < 0) chosen = Math.floor(random() * points.length);
		centres.push(Float64Array.from(points[chosen] as Point));
	}
	return centres;
}

function moveCentres(
	points: readonly Point[],
	labels: readonly number[],
	centres: Point[],
): void {
	for (const [group, centre] of centres.entries()) {
		const members = points.filter((_, i) => labels[i] === group);
		if (members.length === 0) continue;
		for (let axis = 0; axis < centre.length; axis++)
			centre[axis] =
				members.reduce((sum, it) => sum + (it[axis] as number), 0) /
				members.length;
	}
}

function nearest(point: Point, centres: readonly Point[]) {
	let index = 0;
	let distance = Number.POSITIVE_INFINITY;
	for (const [i, centre] of centres.entries()) {
		let sum = 0;
		for (let axis = 0; axis < point.length; axis++)
			sum += ((point[axis] as number) - (centre[axis] as number)) ** 2;
		if (sum >= distance) continue;
		index = i;
		distance = sum;
	}
	return { index, distance };
}

/** Steele and Vigna's mulberry32. */
function seeded(start: number): () => number {
	let state = start;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
