/**
 * From a non-autoregressive decoder's scores to tokens: a row for each token, which do not depend on each other. Without hotwords the likeliest of each row;
 * with them a beam search over the rows, in which hypotheses earn the bonus of their hotwords.
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import { likeliest, logSumOf } from "../../search/log-probability.js";
import type { TokenBias } from "../hotword-graphs.js";
import {
	type RowTokens,
	rowOf,
	type ScoreTable,
} from "../offline/score-rows.js";

export interface TokenRows {
	readonly table: ScoreTable;
	readonly rows: number;
	/** At least of these rows. */
	readonly likeliest: RowTokens;
	/** The token that ends the text. */
	readonly end: number | undefined;
}

export interface RowToken {
	readonly token: number;
	/** From the segment's start. */
	readonly row: number;
	/** Natural logarithm of its probability. */
	readonly logp: number;
	/** Of the path up to it, rows without a token included. */
	readonly total: number;
}

/** Immutable: a search may be resumed from it. */
export interface RowPath {
	readonly tokens: readonly RowToken[];
	readonly score: number;
	readonly context: Context;
	readonly bonus: number;
}

export interface RowSearchOptions {
	readonly bias: TokenBias;
	/** Paths kept. */
	readonly beam: number;
	/** Rows of the segment before these. Default: 0. */
	readonly rowsBefore?: number;
	/** The token of a row that has none. */
	readonly silent?: number;
}

/** Tokens of a row that are considered for hotwords. */
const tokensOfRow = 16;

/** Rows before the first whose likeliest token ends the text. @param end absent: no token does. */
export function textOfRows(
	table: ScoreTable,
	count: number,
	end?: number,
): TokenRows {
	const likeliest = table.likeliest(0, count);
	const stop = end === undefined ? -1 : likeliest.tokens.indexOf(end);
	return { table, likeliest, end, rows: stop < 0 ? count : stop };
}

/** The likeliest token of each row. @param before total of the rows before. */
export function tokensOfRows(
	{ likeliest: { tokens, logps }, rows }: TokenRows,
	rowsBefore = 0,
	before = 0,
): RowToken[] {
	let total = before;
	return Array.from({ length: rows }, (_, at) => {
		const logp = logps[at] as number;
		total += logp;
		return { token: tokens[at] as number, row: rowsBefore + at, logp, total };
	});
}

export function startOfRows(bias: TokenBias): readonly RowPath[] {
	return [{ tokens: [], score: 0, context: bias.start, bonus: 0 }];
}

export function followRows(
	before: readonly RowPath[],
	rows: TokenRows,
	{ bias, beam, rowsBefore = 0, silent }: RowSearchOptions,
): readonly RowPath[] {
	let paths = before;
	for (let at = 0; at < rows.rows; at++) {
		const scores = rowOf(rows.table, at);
		const total = logSumOf(scores);
		const tokens = likeliest(scores, tokensOfRow).filter(
			(it) => it !== rows.end,
		);
		paths = paths
			.flatMap((path) =>
				tokens.map((token) => {
					const logp = (scores[token] as number) - total;
					if (token === silent) return { ...path, score: path.score + logp };
					return extended(path, { token, row: rowsBefore + at, logp }, bias);
				}),
			)
			.sort((a, b) => b.score + b.bonus - (a.score + a.bonus))
			.slice(0, beam);
	}
	return paths;
}

/** The best path if the segment ends here. */
export function bestOfPaths(
	paths: readonly RowPath[],
	bias: TokenBias,
): RowPath {
	const atEnd = (it: RowPath) => it.score + bias.bonusAtEnd(it.context);
	return paths.reduce((a, b) => (atEnd(b) > atEnd(a) ? b : a));
}

function extended(
	path: RowPath,
	next: Omit<RowToken, "total">,
	bias: TokenBias,
): RowPath {
	const score = path.score + next.logp;
	const before = path.tokens.at(-1)?.token;
	const context = bias.advance(path.context, next.token, before);
	return {
		tokens: [...path.tokens, { ...next, total: score }],
		score,
		context,
		bonus: bias.bonus(context),
	};
}
