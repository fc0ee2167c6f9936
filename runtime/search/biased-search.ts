/**
 * Beam search with hotwords that keeps the result it would have without them. Two beams use one decoder in parallel: the plain beam, ordered by probability
 * alone, and the favoured beam, ordered by probability and bonus. Most of their rows are the same and are computed once.
 *
 * INVARIANTS
 * - The plain beam finds what `beamSearch` finds, token for token: a hotword changes a text only where it occurs in it.
 * - A hotword affects its own place only (merge-hypotheses.ts), and only where its bonus outweighs its lower probability there.
 */
import {
	BeamSearch,
	extend,
	type FoundHypothesis,
	type Node,
	type SearchOptions,
	type SearchResult,
	type StepScores,
	tokensAndScores,
	tokensOf,
} from "./beam-search.js";
import type { Context } from "./context-walk.js";
import { sum } from "./log-probability.js";
import { type Hypothesized, mergeHypotheses } from "./merge-hypotheses.js";
import { loopLength } from "./repetition.js";

/** Bonuses of hotwords, in natural-log units. */
export interface Biasing {
	readonly start: Context;
	/** Maximum number of hypotheses in the favoured beam; the plain beam's size limits it too. */
	readonly width: number;
	/** How many rows it may add to those of the plain beam: each makes a step more expensive. */
	readonly ownRows: number;
	advance(context: Context, token: number): Context;
	/** Bonus if the text continues as the best hotword does. */
	bonus(context: Context): number;
	/** Bonus if the text ends here. */
	bonusAtEnd(context: Context): number;
	/** Tokens to consider here, however unlikely. */
	offers(context: Context): readonly number[];
	/** The text of tokens after `start`, and the hotwords in it. @param logp of each token, the end token's last. */
	read(tokens: readonly number[], logp: readonly number[]): Hypothesized;
}

export interface BiasedScores extends StepScores {
	/** Log-probabilities of the offered tokens, by row. */
	readonly offered: readonly ArrayLike<number>[];
}

/** @param offers by row: tokens whose log-probability is returned even if they are not among the best. */
export type BiasedStep = (
	tokens: Int32Array,
	parents: Int32Array,
	offers: readonly (readonly number[])[],
) => Promise<BiasedScores>;

/** One row of the decoder; `node` is absent before the first token. */
interface Row {
	readonly node: Node | undefined;
	readonly context: Context;
}

interface Candidate {
	readonly row: number;
	readonly token: number;
	readonly logp: number;
	readonly context: Context;
	/** Log-probability plus bonus. */
	readonly total: number;
}

interface Finished {
	readonly node: Node;
	readonly bonus: number;
	readonly score: number;
}

/** @param first scores of the first token and of `biasing.offers(biasing.start)`: one row. */
export async function biasedBeamSearch(
	first: BiasedScores,
	step: BiasedStep,
	options: SearchOptions,
	biasing: Biasing,
): Promise<SearchResult | "cancelled"> {
	const search = new BiasedSearch(options, biasing);
	let next = search.advance(first);
	while (next !== undefined) {
		if (options.cancelled?.()) return "cancelled";
		next = search.advance(await step(next.tokens, next.parents, next.offers));
	}
	return search.result();
}

class BiasedSearch {
	readonly #options: SearchOptions;
	readonly #biasing: Biasing;
	readonly #plain: BeamSearch;
	/** Rows of the decoder, those of the plain beam first. */
	#rows: readonly Row[];
	#plainRows = 1;
	/** Indices of the favoured beam's rows. */
	#favoured: readonly number[] = [0];
	#offers: readonly (readonly number[])[];
	#finished: Finished[] = [];
	/** The best of all finished hypotheses. */
	#best: Finished | undefined;
	/** The best of those that contain a hotword. */
	#favourite: Finished | undefined;
	#steps = 0;

	constructor(options: SearchOptions, biasing: Biasing) {
		this.#options = options;
		this.#biasing = biasing;
		this.#plain = new BeamSearch(options);
		this.#rows = [{ node: undefined, context: biasing.start }];
		this.#offers = [biasing.offers(biasing.start)];
	}

	advance(scores: BiasedScores) {
		this.#steps++;
		const before = this.#rows;
		const picks = this.#pick(scores);
		const parents: number[] = [];
		const rows: Row[] = [];
		/** Rows by parent and token. */
		const known = new Map<string, number>();
		const put = (parent: number, row: Row) => {
			known.set(`${parent} ${row.node?.token}`, rows.length);
			rows.push(row);
			parents.push(parent);
		};
		const plain = this.#advancePlain(scores);
		plain?.tokens.forEach((token, i) => {
			const parent = plain.parents[i] as number;
			const context = this.#biasing.advance(
				(before[parent] as Row).context,
				token,
			);
			put(parent, { node: this.#plain.active[i], context });
		});
		this.#plainRows = rows.length;
		const { beam } = this.#options;
		const rowsMax = Math.max(beam, this.#plainRows + this.#biasing.ownRows);
		this.#favoured = picks.flatMap(({ row, token, logp, context }) => {
			const same = known.get(`${row} ${token}`);
			if (same !== undefined) return [same];
			if (rows.length === rowsMax) return [];
			const parent = before[row]?.node;
			const node = extend(parent, { token, logp }, this.#options);
			put(row, { node, context });
			return [rows.length - 1];
		});
		this.#rows = rows;
		if (this.#isFavouredOver()) this.#leaveFavoured();
		return this.#rows.length === 0 ? undefined : this.#next(parents);
	}

	result(): SearchResult {
		const plain = this.#plain.result();
		const found = this.#merged(plain);
		if (!plain.alternatives) return found;
		const { tokens, logp } = plain;
		const favoured = this.#finished
			.toSorted((a, b) => b.score - a.score)
			.map(({ node }) => tokensAndScores(node, this.#options));
		return { ...found, plain: { tokens, logp }, favoured };
	}

	/** The plain beam's text with the hotwords of the favoured one. */
	#merged(plain: SearchResult): SearchResult {
		const best = this.#favourite;
		const steps = this.#steps;
		if (best === undefined || plain.why !== "end") return { ...plain, steps };
		const { prefix = [], lengthPenalty } = this.#options;
		const favoured = tokensAndScores(best.node, this.#options);
		const read = (one: FoundHypothesis) =>
			this.#biasing.read(one.tokens.slice(prefix.length), one.logp);
		const plainRead = read(plain);
		const merged = mergeHypotheses(plainRead, read(favoured));
		if (merged === plainRead.pieces) return { ...plain, steps };
		const logp = [...merged.flatMap((piece) => piece.logp), plainRead.endLogp];
		const score = sum(logp) / (logp.length + prefix.length) ** lengthPenalty;
		const tokens = [...prefix, ...merged.flatMap((piece) => piece.tokens)];
		return { ...plain, tokens, logp, score, why: "end", steps };
	}

	#next(parents: readonly number[]) {
		const isOver = this.#favoured.length === 0;
		this.#offers = this.#rows.map((row) =>
			isOver ? [] : this.#biasing.offers(row.context),
		);
		return {
			tokens: Int32Array.from(this.#rows, (row) => row.node?.token ?? 0),
			parents: Int32Array.from(parents.slice(0, this.#rows.length)),
			offers: this.#offers,
		};
	}

	#advancePlain(scores: BiasedScores) {
		if (this.#plainRows === 0) return undefined;
		const width = scores.ids.length / this.#rows.length;
		return this.#plain.advance({
			ids: scores.ids.subarray(0, this.#plainRows * width),
			logp: scores.logp.subarray(0, this.#plainRows * width),
		});
	}

	/** The favoured beam's continuations, best first; hypotheses that end are moved to `#finished`. */
	#pick(scores: BiasedScores): Candidate[] {
		const { beam, endOfText } = this.#options;
		const picks: Candidate[] = [];
		if (this.#favoured.length === 0) return picks; // it is over
		for (const candidate of this.#candidates(scores)) {
			if (candidate.token === endOfText) this.#finish(candidate);
			else picks.push(candidate);
			if (picks.length === Math.min(beam, this.#biasing.width)) break;
		}
		return picks;
	}

	#candidates(scores: BiasedScores): Candidate[] {
		const { endOfText } = this.#options;
		const candidates: Candidate[] = [];
		const width = scores.ids.length / this.#rows.length;
		// includes the plain beam's rows: hypotheses that a failed match displaced can return at once
		this.#rows.forEach((_, row) => {
			const consider = (token: number, logp: number) => {
				if (logp === Number.NEGATIVE_INFINITY || token > endOfText) return;
				candidates.push(this.#candidate(row, token, logp));
			};
			const from = row * width;
			const ids = scores.ids.subarray(from, from + width);
			ids.forEach((token, i) => {
				consider(token, scores.logp[from + i] as number);
			});
			const offered = scores.offered[row] ?? [];
			this.#offers[row]?.forEach((token, i) => {
				if (!ids.includes(token)) consider(token, offered[i] as number);
			});
		});
		return candidates.sort((a, b) => b.total - a.total);
	}

	#candidate(row: number, token: number, logp: number): Candidate {
		const { node, context } = this.#rows[row] as Row;
		const sum = (node?.sum ?? 0) + logp;
		if (token === this.#options.endOfText) {
			const total = sum + this.#biasing.bonusAtEnd(context);
			return { row, token, logp, context, total };
		}
		const next = this.#biasing.advance(context, token);
		const total = sum + this.#biasing.bonus(next);
		return { row, token, logp, context: next, total };
	}

	#finish({ row, token, logp, context, total }: Candidate): void {
		const node = extend(this.#rows[row]?.node, { token, logp }, this.#options);
		const score = total / node.length ** this.#options.lengthPenalty;
		const bonus = this.#biasing.bonusAtEnd(context);
		const finished = { node, bonus, score };
		this.#finished.push(finished);
		if (score > (this.#best?.score ?? Number.NEGATIVE_INFINITY))
			this.#best = finished;
		if (bonus === 0) return;
		if (score > (this.#favourite?.score ?? Number.NEGATIVE_INFINITY))
			this.#favourite = finished;
	}

	/** The plain beam's rules; and once the plain beam is over, a favoured beam without any bonus has nothing to add. */
	#isFavouredOver(): boolean {
		const { beam, tokensMax, lengthPenalty } = this.#options;
		const rows = this.#favoured.map((row) => this.#rows[row] as Row);
		const first = rows[0];
		if (first?.node === undefined) return true;
		if (this.#finished.length >= beam) return true;
		const { node } = first;
		const total = node.sum + this.#biasing.bonus(first.context);
		const score = total / node.length ** lengthPenalty;
		if (this.#best !== undefined && score <= this.#best.score) return true;
		if (node.length >= tokensMax || loopLength(tokensOf(node)) > 0) return true;
		return (
			this.#plainRows === 0 &&
			rows.every((row) => this.#biasing.bonus(row.context) === 0)
		);
	}

	#leaveFavoured(): void {
		this.#favoured = [];
		this.#rows = this.#rows.slice(0, this.#plainRows);
	}
}
