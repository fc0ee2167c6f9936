/**
 * The best paths through a lattice, by cube pruning: at each slot, the best paths to earlier slots are joined with the best words from there, in
 * the order of their sum. The order is exact, because a word's probability does not depend on the words before it.
 */
import { edgeText, type WordEdge } from "./word-edges.js";

/** What each part of an edge counts. */
export interface LatticeConstants {
	readonly languageModel: number;
	/** Added to each character's log-probability: long texts are not worse than short ones. */
	readonly characterBonus: number;
	readonly sound: number;
	readonly tone: number;
	readonly vote: number;
}

/** A path to a slot; the last word of it, and the path before. */
export interface LatticePath {
	readonly score: number;
	/** Two hashes of the text: paths with the same ones have the same text. */
	readonly hash: number;
	readonly otherHash: number;
	/** Of the text, in UTF-16 units. */
	readonly length: number;
	readonly word: string;
	readonly before: LatticePath | undefined;
}

/** Paths to a slot that are continued. */
const continuedMax = 60;
/** Paths to the end. */
const resultsMax = 200;
/** A path so much worse than the best one to its slot is dropped. */
const scoreRange = 12;
/** Joined in vain, at one slot: the same text by other words or readings. */
const repeatedMax = 6;

interface ScoredEdge {
	readonly edge: WordEdge;
	readonly score: number;
	/** Once it was needed. */
	text: string | undefined;
}

/** Paths to one slot and the edges from there to another one. */
interface Cube {
	readonly paths: readonly LatticePath[];
	readonly edges: readonly ScoredEdge[];
}

/** A path and an edge of a cube, by index. */
interface Corner {
	readonly cube: Cube;
	readonly path: number;
	readonly edge: number;
	readonly score: number;
}

/** @param edges by the slot they begin at. @returns paths through all slots, the best first, each with another text. */
export function bestPaths(
	edges: readonly (readonly WordEdge[])[],
	constants: LatticeConstants,
): LatticePath[] {
	const slots = edges.length;
	const cubes: Cube[][] = Array.from({ length: slots + 1 }, () => []);
	let paths: LatticePath[] = [
		{
			score: 0,
			hash: 0,
			otherHash: 0,
			length: 0,
			word: "",
			before: undefined,
		},
	];
	for (let slot = 0; ; slot++) {
		if (slot > 0)
			paths = join(
				cubes[slot] as Cube[],
				slot === slots ? resultsMax : continuedMax,
			);
		if (slot === slots) return paths;
		if (paths.length === 0) continue;
		for (const [to, group] of scored(edges[slot] ?? [], constants))
			cubes[to]?.push({ paths, edges: group });
	}
}

/** Edges by the slot they lead to, the best first; those that pruning would drop are left out. */
function scored(
	edges: readonly WordEdge[],
	constants: LatticeConstants,
): Map<number, ScoredEdge[]> {
	const groups = new Map<number, { list: ScoredEdge[]; best: number }>();
	for (const edge of edges) {
		const score = scoreOf(edge, constants);
		const group = groups.get(edge.to);
		if (!group)
			groups.set(edge.to, {
				list: [{ edge, score, text: undefined }],
				best: score,
			});
		else if (score > group.best - scoreRange) {
			group.list.push({ edge, score, text: undefined });
			group.best = Math.max(group.best, score);
		}
	}
	return new Map(
		Array.from(groups, ([to, { list, best }]) => [
			to,
			list
				.filter((it) => it.score >= best - scoreRange)
				.sort((one, other) => other.score - one.score),
		]),
	);
}

function textOf(scored: ScoredEdge): string {
	scored.text ??= edgeText(scored.edge);
	return scored.text;
}

function scoreOf(edge: WordEdge, weights: LatticeConstants): number {
	return (
		weights.languageModel * (edge.logp + weights.characterBonus * edge.length) -
		weights.sound * edge.soundCost -
		weights.tone * edge.toneCost -
		weights.vote * edge.voteCost
	);
}

/** @param pathsMax of the best ones. */
function join(cubes: readonly Cube[], pathsMax: number): LatticePath[] {
	const corners = new Corners();
	for (const cube of cubes) corners.add(cube, 0, 0);
	const found: LatticePath[] = [];
	const texts = new Set<number>();
	let best = Number.NEGATIVE_INFINITY;
	for (let tries = pathsMax * repeatedMax; tries > 0; tries--) {
		const corner = corners.take();
		if (!corner || corner.score < best - scoreRange) break;
		best = Math.max(best, corner.score);
		const { cube, path, edge } = corner;
		corners.add(cube, path, edge + 1);
		if (edge === 0) corners.add(cube, path + 1, 0);
		const before = cube.paths[path] as LatticePath;
		const scored = cube.edges[edge] as ScoredEdge;
		const text = textOf(scored);
		const hash = hashed(before.hash, text, 0x9e3779b1);
		const otherHash = hashed(before.otherHash, text, 0x85ebca6b);
		// 53 bits, which a number holds exactly
		const key = (hash >>> 11) * 2 ** 32 + (otherHash >>> 0);
		if (texts.has(key)) continue;
		texts.add(key);
		found.push({
			score: before.score + scored.score,
			hash,
			otherHash,
			length: before.length + text.length,
			word: text,
			before,
		});
		if (found.length === pathsMax) break;
	}
	return found.sort((one, other) => other.score - one.score);
}

function hashed(hash: number, text: string, factor: number): number {
	let longer = hash;
	for (let i = 0; i < text.length; i++) {
		longer = Math.imul(longer ^ text.charCodeAt(i), factor);
		longer ^= longer >>> 15;
	}
	return longer;
}

/** A heap: the corner with the highest score comes out first. */
class Corners {
	readonly #heap: Corner[] = [];

	/** Nothing happens outside the cube. */
	add(cube: Cube, path: number, edge: number): void {
		const [before, word] = [cube.paths[path], cube.edges[edge]];
		if (!before || !word) return;
		const corner = { cube, path, edge, score: before.score + word.score };
		const heap = this.#heap;
		let at = heap.push(corner) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if ((heap[parent] as Corner).score >= corner.score) break;
			heap[at] = heap[parent] as Corner;
			at = parent;
		}
		heap[at] = corner;
	}

	take(): Corner | undefined {
		const heap = this.#heap;
		const top = heap[0];
		const last = heap.pop();
		if (!last || heap.length === 0) return top;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= heap.length) break;
			const right = heap[child + 1];
			if (right && right.score > (heap[child] as Corner).score) child++;
			if ((heap[child] as Corner).score <= last.score) break;
			heap[at] = heap[child] as Corner;
			at = child;
		}
		heap[at] = last;
		return top;
	}
}
