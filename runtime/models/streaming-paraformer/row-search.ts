/** The search of Paraformer (paraformer/search.ts) in rows of scores as they come. */
import { type ScoredToken, withHotwords } from "../favoured-tokens.js";
import type { TokenBias } from "../hotword-graphs.js";
import { CopiedScores } from "../offline/score-rows.js";
import {
	bestOfPaths,
	followRows,
	type RowPath,
	type RowToken,
	startOfRows,
	textOfRows,
	tokensOfRows,
} from "../paraformer/search.js";
import type { FrameSearch } from "../streaming/segment-stream.js";
import type { EncodedChunk } from "../streaming/stream-encoder.js";
import type { TimedToken } from "../writing/token-writing.js";

export interface FoundRows {
	/** The likeliest token of each row that has one. */
	readonly likeliest: readonly RowToken[];
	/** Total of all rows' likeliest tokens. */
	readonly total: number;
	/** Beside it, those that favour hotwords, where there are some. */
	readonly paths: readonly RowPath[];
	/** When each row's token was said. */
	readonly seconds: readonly number[];
}

/** The token of a row that has none. */
const silent = 0;

export class RowSearch implements FrameSearch<FoundRows> {
	readonly #beam: number;
	readonly #bias: TokenBias | undefined;
	readonly start: FoundRows;

	/** @param beam paths kept, where there are hotwords. */
	constructor(beam: number, bias: TokenBias | undefined) {
		this.#beam = beam;
		this.#bias = bias;
		this.start = {
			likeliest: [],
			total: 0,
			seconds: [],
			paths: bias ? startOfRows(bias) : [],
		};
	}

	async advance(
		found: FoundRows,
		{ frames, count, width, seconds = [] }: EncodedChunk,
		first: number,
	): Promise<FoundRows> {
		if (count === 0) return found;
		const rows = textOfRows(new CopiedScores(frames, width), count);
		const options = { beam: this.#beam, rowsBefore: first, silent };
		const bias = this.#bias;
		const plain = tokensOfRows(rows, first, found.total);
		const emitted = plain.filter(({ token }) => token !== silent);
		return {
			likeliest: [...found.likeliest, ...emitted],
			total: plain.at(-1)?.total ?? found.total,
			paths: bias ? followRows(found.paths, rows, { ...options, bias }) : [],
			seconds: [...found.seconds, ...seconds],
		};
	}

	tokensOf({
		likeliest,
		total,
		paths,
		seconds,
	}: FoundRows): readonly TimedToken[] {
		const timed = (tokens: readonly RowToken[]): ScoredToken[] =>
			tokens.map(({ row, ...it }) => ({ ...it, seconds: seconds[row] ?? 0 }));
		const plain = { tokens: timed(likeliest), total };
		if (!this.#bias) return plain.tokens;
		const { tokens, score } = bestOfPaths(paths, this.#bias);
		const favoured = { tokens: timed(tokens), total: score };
		return withHotwords(plain, favoured, this.#bias);
	}
}
