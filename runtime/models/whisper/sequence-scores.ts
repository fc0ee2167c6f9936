/**
 * Scores many token sequences with one decoder, as a prefix tree: what sequences have in common at their beginnings is computed once.
 *
 * The tree is walked in blocks of levels. Each block is a run of the decoder: a row for each distinct beginning up to the block's end, continuing (by
 * `parents`) from its row in the block before. A block of one level computes no token twice, but every run has to read all the weights; longer blocks
 * compute some tokens in several rows. `planBlocks` finds the cheapest division.
 */
import type { Tensor } from "../inference-port.js";
import type { WhisperDecoder } from "./decoder.js";
import { layerName } from "./graphs.js";

export interface SequenceContext {
	/** `cross_k_i`, `cross_v_i` of one segment, read before each run. */
	readonly cross: () => Readonly<Record<string, Tensor>>;
	/** Tokens before each sequence. */
	readonly prompt: readonly number[];
	readonly bias: Tensor;
	/** Called before each run; throws to end the work. */
	readonly checkCancelled: () => void;
}

/** Log-probability of each token of a sequence, then that of the end token. */
export type SequenceScores = readonly number[];

/** Cost of a run in units of a scored token: reading the weights. Measured: 8 ms, where a token costs 0.8 ms. */
const runCost = 10;
/** Tokens scored in one run: bounds the memory, 200 kB a token for each step of the softmax over the vocabulary. */
const cellsMax = 48;
/** Sequences that are walked together: at most this many rows. */
const togetherMax = 16;

interface TreeNode {
	readonly token: number;
	readonly depth: number;
	readonly parent: TreeNode | undefined;
	readonly children: Map<number, TreeNode>;
	/** Log-probability after its parent. */
	logp: number;
	/** Log-probability that the sequence ends after it. */
	endLogp: number;
	/** Row of the last run that ended at this node. */
	row: number;
}

/** @param sequences distinct. @returns scores in the order of the sequences. */
export async function scoreSequences(
	decoder: WhisperDecoder,
	context: SequenceContext,
	sequences: readonly (readonly number[])[],
): Promise<readonly SequenceScores[]> {
	if (sequences.length === 0) return [];
	const root = newNode(-1, 0, undefined);
	const ends = sequences.map((tokens) => grow(root, tokens));
	// neighbours in this order share most
	const order = ends.toSorted(inTreeOrder(pathNumbers(root)));
	for (let from = 0; from < order.length; from += togetherMax)
		await walk(decoder, context, root, order.slice(from, from + togetherMax));
	return ends.map(scoresOf);
}

function newNode(
	token: number,
	depth: number,
	parent: TreeNode | undefined,
): TreeNode {
	const children = new Map<number, TreeNode>();
	const logp = Number.NaN;
	return { token, depth, parent, children, logp, endLogp: logp, row: 0 };
}

/** @returns the node at the end of the sequence. */
function grow(root: TreeNode, tokens: readonly number[]): TreeNode {
	let node = root;
	for (const token of tokens) {
		let child = node.children.get(token);
		if (child === undefined) {
			child = newNode(token, node.depth + 1, node);
			node.children.set(token, child);
		}
		node = child;
	}
	return node;
}

/** Numbers nodes in the order of a walk that finishes a branch before the next one. */
function pathNumbers(root: TreeNode): Map<TreeNode, number> {
	const numbers = new Map<TreeNode, number>();
	const waiting = [root];
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		numbers.set(node, numbers.size);
		waiting.push(...node.children.values());
	}
	return numbers;
}

function inTreeOrder(numbers: ReadonlyMap<TreeNode, number>) {
	return (a: TreeNode, b: TreeNode) =>
		(numbers.get(a) as number) - (numbers.get(b) as number);
}

/** The nodes from the first token to `end`. */
function pathTo(end: TreeNode): TreeNode[] {
	const path: TreeNode[] = [];
	for (
		let node: TreeNode | undefined = end;
		node?.parent !== undefined;
		node = node.parent
	)
		path.push(node);
	return path.reverse();
}

function scoresOf(end: TreeNode): SequenceScores {
	return [...pathTo(end).map((node) => node.logp), end.endLogp];
}

/** Scores the sequences that end at `ends`. */
async function walk(
	decoder: WhisperDecoder,
	context: SequenceContext,
	root: TreeNode,
	ends: readonly TreeNode[],
): Promise<void> {
	const paths = ends.map(pathTo);
	let past: Record<string, Tensor> = decoder.emptyPast();
	const dispose = () => {
		for (const name in past) past[name]?.dispose();
	};
	try {
		let from = 0;
		for (const to of planBlocks(paths)) {
			context.checkCancelled();
			const rows = rowsOf(paths, from, to);
			const next = await runBlock(decoder, context, past, root, rows, {
				from,
				to,
			});
			dispose();
			past = next;
			from = to;
		}
	} finally {
		dispose();
	}
}

/** One path for each distinct beginning of at most `to` tokens, of the paths that reach beyond `from`; of all paths in the first block. */
function rowsOf(
	paths: readonly (readonly TreeNode[])[],
	from: number,
	to: number,
): (readonly TreeNode[])[] {
	const rows = new Map<TreeNode | undefined, readonly TreeNode[]>();
	const isInner = new Set<TreeNode | undefined>();
	for (const path of paths) {
		if (from > 0 && path.length <= from) continue;
		const cut = path.slice(0, to);
		rows.set(cut.at(-1), cut);
		for (const node of cut.slice(0, -1)) isInner.add(node);
	}
	// a path that another one continues needs no row of its own
	return [...rows].flatMap(([end, row]) =>
		isInner.has(end) || (end === undefined && rows.size > 1) ? [] : [row],
	);
}

/**
 * Divides the levels of the tree into blocks so that they cost the least.
 * @returns the level at which each block ends, ascending; the first block begins with the prompt.
 */
function planBlocks(paths: readonly (readonly object[])[]): number[] {
	const longest = Math.max(...paths.map((path) => path.length));
	const { through, ended } = countRows(paths, longest);
	/** By level: the least cost up to it, and the level at which its last block begins. */
	const cost = [0];
	const begins = [0];
	for (let to = 1; to <= longest; to++) {
		cost[to] = Number.POSITIVE_INFINITY;
		let rows = through[to] as number;
		for (let from = to - 1; from >= 0; from--) {
			const cells = rows * (to - from);
			if (cells > cellsMax && from < to - 1) break;
			const total = (cost[from] as number) + cells + runCost;
			if (total < (cost[to] as number)) {
				cost[to] = total;
				begins[to] = from;
			}
			rows += ended[from] as number;
		}
	}
	const ends: number[] = [];
	for (let to = longest; to > 0; to = begins[to] as number) ends.push(to);
	return ends.length === 0 ? [0] : ends.reverse();
}

/** By level: distinct beginnings of that length, and paths that end there without another one continuing them. */
function countRows(paths: readonly (readonly object[])[], longest: number) {
	const nodes = Array.from({ length: longest + 1 }, () => new Set<object>());
	const inner = new Set<object>();
	for (const path of paths)
		path.forEach((node, i) => {
			nodes[i + 1]?.add(node);
			if (i + 1 < path.length) inner.add(node);
		});
	const ended = nodes.map(
		(level) => [...level].filter((node) => !inner.has(node)).length,
	);
	return { through: nodes.map((level) => level.size), ended };
}

interface Block {
	readonly from: number;
	readonly to: number;
}

/** Runs the rows' tokens from `from` to `to`, and sets what their nodes and the nodes after them score. @returns the past after it. */
async function runBlock(
	decoder: WhisperDecoder,
	{ cross, prompt, bias }: SequenceContext,
	past: Readonly<Record<string, Tensor>>,
	root: TreeNode,
	rows: readonly (readonly TreeNode[])[],
	{ from, to }: Block,
): Promise<Record<string, Tensor>> {
	const { endOfText } = decoder.shape.special;
	/** The prompt's last token is what the root stands for. */
	const before = from === 0 ? prompt : [];
	const width = before.length + to - from;
	const first = from === 0 ? prompt.length - 1 : 0;
	const tokens = new Int32Array(rows.length * width).fill(endOfText);
	/** [rows, scored]: the node whose continuations are scored there. */
	const scored: (TreeNode | undefined)[] = [];
	rows.forEach((row, i) => {
		tokens.set(before, i * width);
		const own = row.slice(from, to);
		tokens.set(
			own.map((node) => node.token),
			i * width + before.length,
		);
		const nodes = from === 0 ? [root, ...own] : own;
		for (let k = first; k < width; k++) scored.push(nodes[k - first]);
	});
	const extra = 1 + Math.max(...scored.map((node) => node?.children.size ?? 0));
	const extraIds = new Int32Array(scored.length * extra).fill(endOfText);
	scored.forEach((node, i) => {
		if (node) extraIds.set([...node.children.keys()], i * extra + 1);
	});
	const { past: next, output } = await decoder.step(cross(), past, {
		tokens,
		parents: rows.map((row) => (from === 0 ? 0 : (row[from - 1]?.row ?? 0))),
		positions: Array.from({ length: width - first }, (_, k) => first + k),
		bias,
		extraIds,
	});
	scored.forEach((node, i) => {
		if (!node) return;
		node.endLogp = output.extraLogp[i * extra] as number;
		let at = i * extra;
		for (const child of node.children.values())
			child.logp = output.extraLogp[++at] as number;
	});
	rows.forEach((row, i) => {
		const end = row[to - 1];
		if (end) end.row = i;
	});
	return next;
}

/** Nothing to attend to: one position of zeros. */
export function silentCross({
	port,
	shape,
}: Pick<WhisperDecoder, "port" | "shape">): Record<string, Tensor> {
	const { heads, state, decoderLayers } = shape;
	const headSize = state / heads;
	const zeros = new Float32Array(state);
	const keys = port.tensor("float32", zeros, [1, heads, headSize, 1]);
	const values = port.tensor("float32", zeros, [1, heads, 1, headSize]);
	const layers = [...Array(decoderLayers).keys()];
	return Object.fromEntries(
		layers.flatMap((layer) => [
			[layerName("cross_k", layer), keys],
			[layerName("cross_v", layer), values],
		]),
	);
}
