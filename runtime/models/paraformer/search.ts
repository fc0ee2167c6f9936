/**
 * From a non-autoregressive decoder's scores to tokens: a row for each token, which do not depend on each other. Without hotwords the likeliest of each row;
 * with them a beam search over the rows, in which hypotheses earn the bonus of their hotwords.
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import type { TokenBias } from "../hotword-graphs.js";
import { likeliest, logSumOf } from "../log-probability.js";

export interface TokenRows {
	/** [rows, vocabulary] */
	readonly values: Float32Array;
	readonly vocabulary: number;
	readonly rows: number;
	/** The token that ends the text. */
	readonly end: number | undefined;
}

export interface RowToken {
	readonly token: number;
	/** Natural logarithm of its probability. */
	readonly logp: number;
}

interface Path {
	readonly tokens: readonly RowToken[];
	readonly score: number;
	readonly context: Context;
	readonly bonus: number;
}

/** Tokens of a row that are considered for hotwords. */
const tokensOfRow = 16;

/** @param beam paths kept, where there are hotwords. */
export function tokensOfRows(
	rows: TokenRows,
	bias: TokenBias | undefined,
	beam: number,
): readonly RowToken[] {
	const length = textRows(rows);
	if (bias) return biasedPath(rows, length, bias, beam);
	return Array.from({ length }, (_, row) => {
		const scores = rowOf(rows, row);
		const [token = 0] = likeliest(scores, 1);
		return { token, logp: (scores[token] as number) - logSumOf(scores) };
	});
}

/** Rows before the first whose likeliest token ends the text. */
function textRows(rows: TokenRows): number {
	for (let row = 0; row < rows.rows; row++)
		if (likeliest(rowOf(rows, row), 1)[0] === rows.end) return row;
	return rows.rows;
}

function biasedPath(
	rows: TokenRows,
	length: number,
	bias: TokenBias,
	beam: number,
): readonly RowToken[] {
	let paths: readonly Path[] = [
		{ tokens: [], score: 0, context: bias.start, bonus: 0 },
	];
	for (let row = 0; row < length; row++) {
		const scores = rowOf(rows, row);
		const total = logSumOf(scores);
		const tokens = likeliest(scores, tokensOfRow).filter(
			(it) => it !== rows.end,
		);
		paths = paths
			.flatMap((path) =>
				tokens.map((token) => {
					const logp = (scores[token] as number) - total;
					return extended(path, { token, logp }, bias);
				}),
			)
			.sort((a, b) => b.score + b.bonus - (a.score + a.bonus))
			.slice(0, beam);
	}
	const atEnd = (it: Path) => it.score + bias.bonusAtEnd(it.context);
	return paths.reduce((a, b) => (atEnd(b) > atEnd(a) ? b : a)).tokens;
}

function extended(path: Path, next: RowToken, bias: TokenBias): Path {
	const before = path.tokens.at(-1)?.token;
	const context = bias.advance(path.context, next.token, before);
	return {
		tokens: [...path.tokens, next],
		score: path.score + next.logp,
		context,
		bonus: bias.bonus(context),
	};
}

function rowOf({ values, vocabulary }: TokenRows, row: number): Float32Array {
	return values.subarray(row * vocabulary, (row + 1) * vocabulary);
}
