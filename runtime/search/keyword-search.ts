/**
 * Finds spoken phrases in the output of a transducer, with the beam search that icefall and sherpa-onnx publish for keyword spotting: every token along a
 * phrase earns a bonus, which is taken back where the phrase does not go on, and a phrase counts when it is complete, the mean probability of its
 * tokens reaches its threshold, and a frame without a token follows. A hypothesis that is in no phrase forgets its tokens, so that all of these are
 * one, and the beam has room for phrases.
 *
 * Pure, and independent of any model.
 */
import type { Keyword, KeywordGraph, KeywordNode } from "./keyword-graph.js";
import { likeliest, logAdd } from "./log-probability.js";

export interface KeywordSearchOptions {
	/** Hypotheses kept. */
	readonly paths: number;
	/** Bonus of a token along a phrase, natural logarithm. */
	readonly bonus: number;
	/** Frames without a token that must follow a phrase. */
	readonly blanksMin: number;
	/** Tokens without sound: blank first. */
	readonly silent: ReadonlySet<number>;
	/** Number of tokens that are scored. */
	readonly vocabulary: number;
}

export interface FoundKeyword {
	/** Index of the phrase. */
	readonly keyword: number;
	/** Mean probability of its tokens. */
	readonly probability: number;
	/** Frames of its first and last token. */
	readonly firstFrame: number;
	readonly lastFrame: number;
}

/** A token of the phrase that a hypothesis is in. */
interface Spoken {
	readonly token: number;
	readonly frame: number;
	readonly probability: number;
}

interface KeywordHypothesis {
	readonly node: KeywordNode;
	/** As many as the node is deep. */
	readonly spoken: readonly Spoken[];
	/** Without bonus. */
	readonly logp: number;
	/** Frames since its last token. */
	readonly blanks: number;
}

interface Candidate {
	readonly row: number;
	/** Undefined: no token. */
	readonly token: number | undefined;
	readonly tokenLogp: number;
	readonly node: KeywordNode;
	/** With bonus. */
	readonly score: number;
}

/** Of a final's probability: the rest is shared with its other tones (as in forced scores, models/second-ear). */
const ownToneShare = 0.85;

export class KeywordSearch {
	readonly #graph: KeywordGraph;
	readonly #options: KeywordSearchOptions;
	#hypotheses: readonly KeywordHypothesis[];

	constructor(graph: KeywordGraph, options: KeywordSearchOptions) {
		this.#graph = graph;
		this.#options = options;
		this.#hypotheses = [this.#start];
	}

	/** The tokens of each hypothesis, as context of its next one. */
	get contexts(): readonly (readonly number[])[] {
		return this.#hypotheses.map(({ spoken }) =>
			spoken.map(({ token }) => token),
		);
	}

	/** Forgets what was spoken. */
	reset(): void {
		this.#hypotheses = [this.#start];
	}

	/**
	 * @param logps natural log-probabilities: [contexts, vocabulary].
	 * @returns the phrase that was found to be complete with this frame; the search then begins anew.
	 */
	accept(logps: Float32Array, frame: number): FoundKeyword | undefined {
		const { paths } = this.#options;
		const candidates = this.#hypotheses
			.flatMap((hypothesis, row) => this.#candidates(hypothesis, row, logps))
			.sort((a, b) => b.score - a.score)
			.slice(0, paths);
		this.#hypotheses = this.#merged(candidates, frame);
		const found = this.#complete();
		if (found) this.reset();
		return found;
	}

	get #start(): KeywordHypothesis {
		return { node: this.#graph.root, spoken: [], logp: 0, blanks: 0 };
	}

	/** The likeliest tokens, and all that continue a phrase. */
	#candidates(
		{ node, logp }: KeywordHypothesis,
		row: number,
		logps: Float32Array,
	): Candidate[] {
		const { vocabulary, paths, silent, bonus } = this.#options;
		const scores = logps.subarray(row * vocabulary, (row + 1) * vocabulary);
		const candidates: Candidate[] = [];
		const add = (
			token: number | undefined,
			tokenLogp: number,
			to: KeywordNode,
		) =>
			candidates.push({
				row,
				token,
				tokenLogp,
				node: to,
				score: logp + tokenLogp + bonus * to.depth,
			});
		for (const { token, variants, to } of node.arcs.values())
			add(token, logpOf(scores, token, variants), to);
		for (const token of likeliest(scores, paths)) {
			const tokenLogp = scores[token] as number;
			if (silent.has(token)) add(undefined, tokenLogp, node);
			else if (!node.arcs.has(token)) add(token, tokenLogp, this.#graph.root);
		}
		return candidates;
	}

	/** Hypotheses in the same place of a phrase are one: the likelier. */
	#merged(
		candidates: readonly Candidate[],
		frame: number,
	): KeywordHypothesis[] {
		const found = new Map<KeywordNode, KeywordHypothesis>();
		for (const { row, token, tokenLogp, node } of candidates) {
			const before = this.#hypotheses[row] as KeywordHypothesis;
			const logp = before.logp + tokenLogp;
			const same = found.get(node);
			if (same) {
				found.set(node, { ...same, logp: logAdd(same.logp, logp) });
				continue;
			}
			if (token === undefined) {
				found.set(node, { ...before, logp, blanks: before.blanks + 1 });
				continue;
			}
			const probability = Math.exp(tokenLogp);
			const spoken = [...before.spoken, { token, frame, probability }];
			found.set(node, {
				node,
				logp,
				blanks: 0,
				spoken: node.depth === 0 ? [] : spoken.slice(-node.depth),
			});
		}
		return [...found.values()];
	}

	#complete(): FoundKeyword | undefined {
		const { bonus, blanksMin } = this.#options;
		let best: KeywordHypothesis | undefined;
		let most = Number.NEGATIVE_INFINITY;
		for (const it of this.#hypotheses) {
			const score = it.logp + bonus * it.node.depth;
			if (score > most) {
				most = score;
				best = it;
			}
		}
		if (!best || best.blanks < blanksMin) return undefined;
		for (const keyword of best.node.keywords) {
			const found = this.#spoken(keyword, best);
			if (found) return found;
		}
		return undefined;
	}

	/** A phrase that ends with the last token, if it is likely enough: one inside it may be where it is not. */
	#spoken(
		keyword: number,
		{ spoken }: KeywordHypothesis,
	): FoundKeyword | undefined {
		const phrase = this.#graph.keywords[keyword] as Keyword;
		const last = spoken.slice(-phrase.tokens.length);
		const sum = last.reduce((total, it) => total + it.probability, 0);
		const probability = sum / last.length;
		if (probability < phrase.threshold) return undefined;
		return {
			keyword,
			probability,
			firstFrame: last[0]?.frame ?? 0,
			lastFrame: last.at(-1)?.frame ?? 0,
		};
	}
}

function logpOf(
	scores: Float32Array,
	token: number,
	variants: readonly number[],
): number {
	const own = scores[token] as number;
	if (variants.length === 0) return own;
	let sum = 0;
	for (const it of variants) sum += Math.exp(scores[it] as number);
	return Math.log(ownToneShare * Math.exp(own) + (1 - ownToneShare) * sum);
}
