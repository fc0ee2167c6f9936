/**
 * Runs the scorer's graph (graphs.ts) over trees of tokens.
 */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { layerName, scorerNames } from "./graphs.js";
import { silentCross } from "./sequence-scores.js";
import type { WhisperShape } from "./shape.js";
import type { Edge, TokenTree } from "./text-windows.js";

/** Looks up the log-probability of a scored edge. */
export type EdgeScores = (edge: Edge) => number;

export class TreeScorer {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #shape: WhisperShape;
	/** By token: its index in the scored vocabulary. */
	readonly #places: ReadonlyMap<number, number>;
	readonly #silence: Readonly<Record<string, Tensor>>;

	constructor(
		port: InferencePort,
		session: InferenceSession,
		shape: WhisperShape,
		vocabulary: Iterable<number>,
	) {
		this.#port = port;
		this.#session = session;
		this.#shape = shape;
		this.#places = new Map([...vocabulary].map((token, i) => [token, i]));
		this.#silence = this.#withBias(silentCross({ port, shape }));
	}

	static async open(
		port: InferencePort,
		session: InferenceSession,
		shape: WhisperShape,
	): Promise<TreeScorer> {
		const probe = new TreeScorer(port, session, shape, []);
		const { vocabulary } = await probe.#run(
			{
				...probe.#silence,
				[scorerNames.tokens]: probe.#ints([shape.special.endOfText], [1, 1]),
				[scorerNames.depths]: probe.#ints([0], [1]),
				[scorerNames.mask]: port.tensor("float32", new Float32Array(1), [1, 1]),
				[scorerNames.scored]: probe.#ints([0], [1]),
				[scorerNames.wanted]: probe.#ints([0], [1, 1, 1]),
			},
			[scorerNames.vocabulary],
		);
		return new TreeScorer(port, session, shape, vocabulary as Int32Array);
	}

	/** Whether the token can be scored. */
	knows(token: number): boolean {
		return this.#places.has(token);
	}

	/**
	 * @param prompt tokens before the texts.
	 * @param cross of one segment; absent: nothing is heard.
	 * @returns scores of the tree's edges; NaN for tokens that it does not know. The end is the token -1.
	 */
	async score(
		tree: TokenTree,
		prompt: readonly number[],
		cross: Readonly<Record<string, Tensor>> = this.#silence,
	): Promise<EdgeScores> {
		const { tokens, depths, mask, before } = laidOut(tree, prompt);
		const scored = tree.children.flatMap((it, node) =>
			it.size > 0 ? [node] : [],
		);
		const { wanted, places, width } = this.#wantedAfter(scored, tree);
		const count = tokens.length;
		const size = [1, scored.length, width];
		const { logp } = await this.#run(
			{
				...this.#withBias(cross),
				[scorerNames.tokens]: this.#ints(tokens, [1, count]),
				[scorerNames.depths]: this.#ints(depths, [count]),
				[scorerNames.mask]: this.#port.tensor("float32", mask, [count, count]),
				[scorerNames.scored]: this.#ints(
					scored.map((node) => before + node),
					[scored.length],
				),
				[scorerNames.wanted]: this.#port.tensor("int32", wanted, size),
			},
			[scorerNames.logp],
		);
		return ({ node, token }) =>
			logp?.[places.get(`${node} ${token}`) ?? -1] ?? Number.NaN;
	}

	/** @returns `wanted` [scored, width]: which tokens of the vocabulary; `places`: where in it that of "node token" is. */
	#wantedAfter(scored: readonly number[], { children }: TokenTree) {
		const { endOfText } = this.#shape.special;
		const width = Math.max(...scored.map((node) => children[node]?.size ?? 0));
		const wanted = new Int32Array(scored.length * width);
		const places = new Map<string, number>();
		scored.forEach((node, row) => {
			let at = row * width;
			for (const token of children[node]?.keys() ?? []) {
				const place = this.#places.get(token < 0 ? endOfText : token);
				if (place !== undefined) {
					places.set(`${node} ${token}`, at);
					wanted[at] = place;
				}
				at++;
			}
		});
		return { wanted, places, width };
	}

	async #run(
		feeds: Readonly<Record<string, Tensor>>,
		names: readonly string[],
	): Promise<Record<string, ArrayLike<number>>> {
		const outputs = await this.#session.run(feeds, names);
		return Object.fromEntries(
			names.map((name) => {
				const tensor = outputs[name] as Tensor;
				const values = tensor.data.slice() as Float32Array | Int32Array;
				tensor.dispose();
				return [name, values];
			}),
		);
	}

	/** The default bias where `cross` has none: no position is masked. */
	#withBias(cross: Readonly<Record<string, Tensor>>) {
		const name = scorerNames.crossBias;
		if (cross[name]) return cross;
		const positions = cross[layerName("cross_k", 0)]?.dims[3] ?? 0;
		const zeros = new Float32Array(positions);
		return {
			...cross,
			[name]: this.#port.tensor("float32", zeros, [1, positions]),
		};
	}

	#ints(values: ArrayLike<number>, dims: readonly number[]): Tensor {
		return this.#port.tensor("int32", Int32Array.from(values), dims);
	}
}

/**
 * The prompt and the nodes after it as one sequence, in which each node sees only the way to it: node 0 is the prompt's last token.
 * @returns `mask` [count, count]: 0 where the row's token sees the column's; `before`: how many tokens are before node 0.
 */
function laidOut(tree: TokenTree, prompt: readonly number[]) {
	const before = prompt.length - 1;
	const count = before + tree.size;
	const tokens = new Int32Array(count);
	const depths = new Int32Array(count);
	const mask = new Float32Array(count * count).fill(Number.NEGATIVE_INFINITY);
	prompt.forEach((token, i) => {
		tokens[i] = token;
		depths[i] = i;
		mask.fill(0, i * count, i * count + i + 1);
	});
	for (let node = 1; node < tree.size; node++) {
		const i = before + node;
		tokens[i] = tree.tokens[node] as number;
		depths[i] = before + (tree.depths[node] as number);
		const parent = before + (tree.parents[node] as number);
		mask.copyWithin(i * count, parent * count, (parent + 1) * count);
		mask[i * count + i] = 0;
	}
	return { tokens, depths, mask, before };
}
