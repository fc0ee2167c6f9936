/**
 * From CTC scores to tokens with their times: the best path (Graves et al. 2006, "Connectionist Temporal Classification"), and with hotwords a prefix beam
 * search (Hannun et al. 2014, "First-Pass Large Vocabulary Continuous Speech Recognition using Bi-Directional Recurrent DNNs") whose prefixes earn the
 * bonus of their hotwords.
 *
 * Both go on row by row, so that a streaming model's chunks may be searched as they come. Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import { likeliest, logAdd, logSumOf } from "../../search/log-probability.js";
import type { TokenBias } from "../hotword-graphs.js";
import { rowOf, type ScoreTable } from "../offline/score-rows.js";

export interface Spike {
	readonly token: number;
	/** Row of the scores, that of its highest probability. */
	readonly row: number;
	/** The first of its rows. */
	readonly firstRow: number;
	/** Natural logarithm of its probability there. */
	readonly logp: number;
}

/** Of rows, before the softmax or behind it. */
export interface CtcScores {
	readonly table: ScoreTable;
	/** Id of the blank. */
	readonly blank: number;
	readonly firstRow: number;
	/** One past the last row. */
	readonly rows: number;
}

/** Tokens per row that may extend a prefix. */
const tokensOfRow = 16;
const never = Number.NEGATIVE_INFINITY;

/** A list of spikes, the latest first. */
interface Chained {
	readonly spike: Spike;
	readonly before: Chained | undefined;
}

/** The likeliest token of each row so far. Immutable, as prefixes are: a search may be resumed from any of them. */
export interface PathSoFar {
	/** Of the last row. */
	readonly token: number;
	readonly latest: Chained | undefined;
}

export interface Prefix {
	readonly key: string;
	/** Its last token; undefined at the beginning. */
	readonly token: number | undefined;
	readonly before: Prefix | undefined;
	readonly context: Context;
	readonly bonus: number;
	/** Natural logarithms of the probability that it ends in a blank, and that it does not. */
	readonly blankLogp: number;
	readonly tokenLogp: number;
}

export function bestPath(scores: CtcScores): Spike[] {
	return spikesOfPath(followPath(startOfPath(scores.blank), scores));
}

export function startOfPath(blank: number): PathSoFar {
	return { token: blank, latest: undefined };
}

/** @param rowsBefore rows of the segment before these scores. */
export function followPath(
	path: PathSoFar,
	scores: CtcScores,
	rowsBefore = 0,
): PathSoFar {
	const { table, blank, firstRow, rows } = scores;
	let { token: before, latest } = path;
	const { tokens, logps } = table.likeliest(firstRow, rows, blank);
	for (let i = 0; i < tokens.length; i++) {
		const token = tokens[i] as number;
		if (token === blank) {
			before = blank;
			continue;
		}
		const row = rowsBefore + firstRow + i;
		const logp = logps[i] as number;
		if (token !== before)
			latest = { spike: { token, row, firstRow: row, logp }, before: latest };
		// a token's time is the row of its highest probability
		else if (latest && logp > latest.spike.logp)
			latest = { ...latest, spike: { ...latest.spike, row, logp } };
		before = token;
	}
	return { token: before, latest };
}

export function spikesOfPath({ latest }: PathSoFar): Spike[] {
	const spikes: Spike[] = [];
	for (let at = latest; at; at = at.before) spikes.push(at.spike);
	return spikes.reverse();
}

export function startOfPrefixes(bias: TokenBias): readonly Prefix[] {
	return [
		{
			key: "",
			token: undefined,
			before: undefined,
			context: bias.start,
			bonus: 0,
			blankLogp: 0,
			tokenLogp: never,
		},
	];
}

export interface PrefixOptions {
	readonly bias: TokenBias;
	/** Prefixes kept. */
	readonly beam: number;
	/** Rows of the segment before these scores. */
	readonly rowsBefore: number;
	/** Told what each row has. */
	readonly onRow: (row: LikelyTokens) => void;
}

/** The tokens of a row that may extend a prefix. */
export interface LikelyTokens {
	/** From the segment's start. */
	readonly row: number;
	/** Best first. */
	readonly tokens: readonly number[];
	/** Natural logarithms of their probabilities. */
	readonly logps: readonly number[];
	readonly blankLogp: number;
}

export function followPrefixes(
	before: readonly Prefix[],
	scores: CtcScores,
	{ bias, beam, rowsBefore, onRow }: PrefixOptions,
): readonly Prefix[] {
	let prefixes = before;
	for (let row = scores.firstRow; row < scores.rows; row++) {
		const step = new Step(bias, scores, row, rowsBefore);
		onRow(step.likely);
		prefixes = nextPrefixes(prefixes, step, beam);
	}
	return prefixes;
}

function nextPrefixes(
	prefixes: readonly Prefix[],
	step: Step,
	beam: number,
): readonly Prefix[] {
	return step
		.follow(prefixes)
		.sort((a, b) => totalOf(b) + b.bonus - (totalOf(a) + a.bonus))
		.slice(0, beam);
}

/** Of the best prefix if the segment ends here. */
export function tokensOfPrefixes(
	prefixes: readonly Prefix[],
	bias: TokenBias,
): number[] {
	const endOf = (one: Prefix) => totalOf(one) + bias.bonusAtEnd(one.context);
	const best = prefixes.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
	const tokens: number[] = [];
	for (let at: Prefix | undefined = best; at?.before; at = at.before)
		tokens.push(at.token as number);
	return tokens.reverse();
}

/** One row, and the prefixes that it leads to. */
class Step {
	readonly #bias: TokenBias;
	readonly #values: Float32Array;
	/** From the segment's start. */
	readonly #row: number;
	readonly #blank: number;
	readonly #found = new Map<string, Prefix>();
	readonly #logSum: number;
	readonly #tokens: readonly number[];

	/** @param row of these scores. */
	constructor(
		bias: TokenBias,
		scores: CtcScores,
		row: number,
		rowsBefore: number,
	) {
		const values = rowOf(scores.table, row);
		this.#bias = bias;
		this.#values = values;
		this.#row = rowsBefore + row;
		this.#blank = scores.blank;
		this.#logSum = logSumOf(values);
		this.#tokens = likeliest(values, tokensOfRow);
	}

	get likely(): LikelyTokens {
		return {
			row: this.#row,
			tokens: this.#tokens,
			logps: this.#tokens.map((it) => this.#logp(it)),
			blankLogp: this.#logp(this.#blank),
		};
	}

	follow(prefixes: readonly Prefix[]): Prefix[] {
		for (const prefix of prefixes) {
			const total = totalOf(prefix);
			this.#stay(prefix, total + this.#logp(this.#blank), never);
			const last = prefix.token;
			if (last !== undefined)
				this.#stay(prefix, never, prefix.tokenLogp + this.#logp(last));
			for (const token of this.#tokens) {
				if (token === this.#blank) continue;
				// the same token counts as a new one only after a blank
				const from = token === last ? prefix.blankLogp : total;
				if (from > never) this.#grow(prefix, token, from);
			}
		}
		return [...this.#found.values()];
	}

	#logp(token: number): number {
		return (this.#values[token] as number) - this.#logSum;
	}

	#stay(prefix: Prefix, blankLogp: number, tokenLogp: number): void {
		const same = this.#found.get(prefix.key);
		this.#found.set(prefix.key, {
			...(same ?? prefix),
			blankLogp: logAdd(same?.blankLogp ?? never, blankLogp),
			tokenLogp: logAdd(same?.tokenLogp ?? never, tokenLogp),
		});
	}

	#grow(prefix: Prefix, token: number, from: number): void {
		const logp = this.#logp(token);
		const key = `${prefix.key} ${token}`;
		const same = this.#found.get(key);
		if (same) {
			this.#found.set(key, {
				...same,
				tokenLogp: logAdd(same.tokenLogp, from + logp),
			});
			return;
		}
		const last = prefix.token;
		const context = this.#bias.advance(prefix.context, token, last);
		this.#found.set(key, {
			key,
			token,
			before: prefix,
			context,
			bonus: this.#bias.bonus(context),
			blankLogp: never,
			tokenLogp: from + logp,
		});
	}
}

function totalOf({ blankLogp, tokenLogp }: Prefix): number {
	return logAdd(blankLogp, tokenLogp);
}
