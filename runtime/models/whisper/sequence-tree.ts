/**
 * Token sequences as a prefix tree, and its division into blocks of levels (sequence-scores.ts runs them). A block of one level computes no token twice, but
 * every run has to read all the weights; longer blocks compute some tokens in several rows. `planBlocks` finds the cheapest division.
 *
 * Pure.
 */

/** Cost of a run in units of a scored token: reading the weights. Measured: 8 ms, where a token costs 0.8 ms. */
const runCost = 10;
/** Tokens scored in one run: bounds the memory, 200 kB a token for each step of the softmax over the vocabulary. */
const cellsMax = 48;

export interface TreeNode {
	readonly token: number;
	readonly parent: TreeNode | undefined;
	readonly children: Map<number, TreeNode>;
	/** Log-probability after its parent. */
	logp: number;
	/** Log-probability that the sequence ends after it. */
	endLogp: number;
	/** Row of the last run that ended at this node. */
	row: number;
}

/** @param parent undefined: the root, whose token is none. */
export function newNode(parent: TreeNode | undefined, token = -1): TreeNode {
	const children = new Map<number, TreeNode>();
	return {
		token,
		parent,
		children,
		logp: Number.NaN,
		endLogp: Number.NaN,
		row: 0,
	};
}

/** Adds a sequence. @returns the node at its end. */
export function grow(root: TreeNode, tokens: readonly number[]): TreeNode {
	let node = root;
	for (const token of tokens) {
		let child = node.children.get(token);
		if (child === undefined) {
			child = newNode(node, token);
			node.children.set(token, child);
		}
		node = child;
	}
	return node;
}

/** The nodes in the order of a walk that finishes a branch before the next one: neighbours share most. */
export function inTreeOrder(
	root: TreeNode,
	nodes: readonly TreeNode[],
): TreeNode[] {
	const numbers = new Map<TreeNode, number>();
	const waiting = [root];
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		numbers.set(node, numbers.size);
		waiting.push(...node.children.values());
	}
	const numberOf = (node: TreeNode) => numbers.get(node) as number;
	return nodes.toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** The nodes from the first token to `end`. */
export function pathTo(end: TreeNode): TreeNode[] {
	const path: TreeNode[] = [];
	for (
		let node: TreeNode | undefined = end;
		node?.parent !== undefined;
		node = node.parent
	)
		path.push(node);
	return path.reverse();
}

/** Levels of the tree: from after `from` up to `to`. */
export interface Block {
	readonly from: number;
	readonly to: number;
}

/** One path for each distinct beginning of at most `to` tokens, of the paths that reach beyond `from`; of all paths in the first block. */
export function rowsOf(
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
export function planBlocks(paths: readonly (readonly object[])[]): number[] {
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
