/**
 * Scores many token sequences with one decoder, as a prefix tree (sequence-tree.ts): what sequences have in common at their beginnings is computed once.
 *
 * The tree is walked in blocks of levels. Each block is a run of the decoder: a row for each distinct beginning up to the block's end, continuing (by
 * `parents`) from its row in the block before.
 */
import type { Tensor } from "../inference-port.js";
import type { WhisperDecoder } from "./decoder.js";
import { layerName } from "./graphs.js";
import {
	type Block,
	grow,
	inTreeOrder,
	newNode,
	pathTo,
	planBlocks,
	rowsOf,
	type TreeNode,
} from "./sequence-tree.js";

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

/** Sequences that are walked together: at most this many rows. */
const togetherMax = 16;

/** @param sequences distinct. @returns scores in the order of the sequences. */
export async function scoreSequences(
	decoder: WhisperDecoder,
	context: SequenceContext,
	sequences: readonly (readonly number[])[],
): Promise<readonly SequenceScores[]> {
	if (sequences.length === 0) return [];
	const root = newNode(undefined);
	const ends = sequences.map((tokens) => grow(root, tokens));
	const order = inTreeOrder(root, ends);
	for (let from = 0; from < order.length; from += togetherMax)
		await walk(decoder, context, root, order.slice(from, from + togetherMax));
	return ends.map(scoresOf);
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
		const own = row.slice(from, to);
		tokens.set([...before, ...own.map((node) => node.token)], i * width);
		const nodes = from === 0 ? [root, ...own] : own;
		for (let k = first; k < width; k++) scored.push(nodes[k - first]);
	});
	const { extraIds, extra } = idsAfter(scored, endOfText);
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

/** The end token and the tokens of each node's children, filled up with the end token: [nodes, extra]. */
function idsAfter(nodes: readonly (TreeNode | undefined)[], endOfText: number) {
	const extra = 1 + Math.max(...nodes.map((node) => node?.children.size ?? 0));
	const extraIds = new Int32Array(nodes.length * extra).fill(endOfText);
	nodes.forEach((node, i) => {
		if (node) extraIds.set([...node.children.keys()], i * extra + 1);
	});
	return { extraIds, extra };
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
