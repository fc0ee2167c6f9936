/**
 * Beam search over a decoder's steps. Pure: the decoder is a function from the rows' new tokens to the best next ones, so the search works on
 * a graph and on recorded numbers alike. The decoder reorders its own past by `parents`.
 */
import { loopLength } from "./repetition.js";

/** The best next tokens of each row, best first: `ids` and `logp` are [rows, width]. */
export interface StepScores {
	readonly ids: Int32Array;
	readonly logp: Float32Array;
}

/**
 * One decoder step.
 * @param tokens [rows]: the token that each row is continued with.
 * @param parents [rows]: the row of the previous step that each row continues.
 */
export type Step = (
	tokens: Int32Array,
	parents: Int32Array,
) => Promise<StepScores>;

export interface SearchOptions {
	/** Hypotheses kept. */
	readonly beam: number;
	/** Ends a hypothesis; ids above it are control tokens, never chosen. */
	readonly endOfText: number;
	/** Maximum number of tokens in a hypothesis. */
	readonly tokensMax: number;
	/** Scores are sum / length ^ penalty. */
	readonly lengthPenalty: number;
	/** Tokens already in the decoder's past: counted in the score's length, and returned before the new tokens; a loop is looked for in those only. */
	readonly prefix?: readonly number[];
	readonly cancelled?: () => boolean;
	/** Also return the other hypotheses; the best one is the same. */
	readonly withAlternatives?: boolean;
}

export interface FoundHypothesis {
	/** Without the end token. */
	readonly tokens: readonly number[];
	/** Log-probability of each token after the prefix; the end token's is last if the hypothesis ended with it. */
	readonly logp: readonly number[];
}

export interface SearchResult extends FoundHypothesis {
	/** The other hypotheses, where they were requested: first those that ended, best first, then those that had nearly reached the length of the best. */
	readonly alternatives?: readonly FoundHypothesis[];
	/** Of a search with hotwords, with the alternatives: what it would have found without them, and the hypotheses that they favoured, best first. */
	readonly plain?: FoundHypothesis;
	readonly favoured?: readonly FoundHypothesis[];
	/** Length-normalised. */
	readonly score: number;
	/** `end`: by its end token; `length`: truncated at `tokensMax`; `loop`: truncated because it repeated itself. */
	readonly why: "end" | "length" | "loop";
	readonly steps: number;
}

/** A hypothesis without an end token is an alternative only if it has at most this many tokens less than the best. */
const missingTokensMax = 2;

/** One token of a hypothesis; hypotheses share their beginnings. */
export type Node = {
	readonly token: number;
	readonly logp: number;
	readonly sum: number;
	readonly length: number;
	readonly parent: Node | undefined;
};

type Candidate = {
	readonly row: number;
	readonly token: number;
	readonly logp: number;
	readonly sum: number;
};

/** @param first scores of the first token: one row. */
export async function beamSearch(
	first: StepScores,
	step: Step,
	options: SearchOptions,
): Promise<SearchResult | "cancelled"> {
	const search = new BeamSearch(options);
	let next = search.advance(first);
	while (next !== undefined) {
		if (options.cancelled?.()) return "cancelled";
		next = search.advance(await step(next.tokens, next.parents));
	}
	return search.result();
}

export class BeamSearch {
	readonly #options: SearchOptions;
	/** Unfinished hypotheses, best first: the rows of the next step. */
	active: readonly Node[] = [];
	/** Whether the first scores, which have a single row, are still expected. */
	#atRoot = true;
	#finished: Node[] = [];
	#best: Node | undefined;
	#bestScore = Number.NEGATIVE_INFINITY;
	#steps = 0;
	#looped: Node | undefined;

	constructor(options: SearchOptions) {
		this.#options = options;
	}

	/** Takes the scores of the rows. @returns the rows to continue with, or undefined when the search is over. */
	advance(
		scores: StepScores,
	): { tokens: Int32Array; parents: Int32Array } | undefined {
		this.#steps++;
		const candidates = this.#candidates(scores);
		const { beam, endOfText } = this.#options;
		const rows: Node[] = [];
		const parents: number[] = [];
		for (const candidate of candidates) {
			const node = extend(this.active[candidate.row], candidate, this.#options);
			if (candidate.token === endOfText) {
				this.#finish(node);
				continue;
			}
			rows.push(node);
			parents.push(candidate.row);
			if (rows.length === beam) break;
		}
		this.active = rows;
		this.#atRoot = false;
		if (this.#isOver()) return undefined;
		return {
			tokens: Int32Array.from(rows, (node) => node.token),
			parents: Int32Array.from(parents),
		};
	}

	result(): SearchResult {
		const last = this.#looped ?? this.#likeliest();
		return {
			...tokensAndScores(last, this.#options),
			...(this.#options.withAlternatives && {
				alternatives: this.#alternatives(last),
			}),
			score: last === undefined ? Number.NEGATIVE_INFINITY : this.#score(last),
			why: this.#whyEnded(last),
			steps: this.#steps,
		};
	}

	/** All hypotheses except the best. */
	#alternatives(best: Node | undefined): FoundHypothesis[] {
		if (best === undefined) return [];
		const ended = this.#finished.toSorted(
			(a, b) => this.#score(b) - this.#score(a),
		);
		const nearlyEnded = this.active.filter(
			({ length }) => length >= best.length - missingTokensMax,
		);
		return [...ended, ...nearlyEnded]
			.filter((node) => node !== best)
			.map((node) => tokensAndScores(node, this.#options));
	}

	/** The best hypothesis with an end token, unless a likelier one was truncated at `tokensMax`. */
	#likeliest(): Node | undefined {
		const first = this.active[0];
		if (first === undefined || first.length < this.#options.tokensMax)
			return this.#best;
		return this.#score(first) > this.#bestScore ? first : this.#best;
	}

	#whyEnded(last: Node | undefined): SearchResult["why"] {
		if (last === this.#looped && last !== undefined) return "loop";
		return last === this.#best ? "end" : "length";
	}

	/** The best continuations of all rows, best first: enough to fill the beam even if each row also ends. */
	#candidates(scores: StepScores): Candidate[] {
		const rowCount = this.#atRoot ? 1 : this.active.length;
		const width = scores.ids.length / rowCount;
		const perRow = Math.min(width, this.#options.beam + 1);
		const candidates: Candidate[] = [];
		for (let row = 0; row < rowCount; row++) {
			const sum = this.active[row]?.sum ?? 0;
			for (let i = row * width; i < row * width + perRow; i++) {
				const logp = scores.logp[i] as number;
				const token = scores.ids[i] as number;
				// The rest is suppressed: fewer than `width` tokens are allowed.
				if (logp === Number.NEGATIVE_INFINITY) break;
				// Ids above the end token are control tokens.
				if (token > this.#options.endOfText) continue;
				candidates.push({ row, token, logp, sum: sum + logp });
			}
		}
		return candidates.sort((a, b) => b.sum - a.sum);
	}

	#finish(node: Node): void {
		this.#finished.push(node);
		const score = this.#score(node);
		if (score <= this.#bestScore) return;
		this.#best = node;
		this.#bestScore = score;
	}

	/** Sum and length include the end token. */
	#score(node: Node): number {
		return node.sum / node.length ** this.#options.lengthPenalty;
	}

	#isOver(): boolean {
		const first = this.active[0];
		if (first === undefined) return true;
		if (this.#finished.length >= this.#options.beam) return true;
		if (this.#best !== undefined && this.#score(first) <= this.#bestScore)
			return true;
		if (first.length >= this.#options.tokensMax) return true;
		if (loopLength(tokensOf(first)) === 0) return false;
		this.#looped = first;
		return true;
	}
}

/** @param parent undefined for the first token. */
export function extend(
	parent: Node | undefined,
	{ token, logp }: { readonly token: number; readonly logp: number },
	{ prefix = [] }: SearchOptions,
): Node {
	return {
		token,
		logp,
		sum: (parent?.sum ?? 0) + logp,
		length: (parent?.length ?? prefix.length) + 1,
		parent,
	};
}

/** The tokens and log-probabilities of a hypothesis, in order. */
export function tokensAndScores(
	last: Node | undefined,
	{ endOfText, prefix = [] }: SearchOptions,
): FoundHypothesis {
	const tokens: number[] = [];
	const logp: number[] = [];
	for (let node = last; node !== undefined; node = node.parent) {
		if (node.token !== endOfText) tokens.push(node.token);
		logp.push(node.logp);
	}
	return {
		tokens: [...prefix, ...tokens.reverse()],
		logp: logp.reverse(),
	};
}

export function tokensOf(last: Node): number[] {
	const tokens: number[] = [];
	for (
		let node: Node | undefined = last;
		node !== undefined;
		node = node.parent
	)
		tokens.push(node.token);
	return tokens.reverse();
}
