/** The search of Paraformer (paraformer/search.ts) in rows of scores as they come. */
import type { TokenBias } from "../hotword-graphs.js";
import {
	followRows,
	likeliestOfRows,
	type RowPath,
	type RowToken,
	startOfRows,
	type TokenRows,
	tokensOfPaths,
} from "../paraformer/search.js";
import type { FrameSearch } from "../streaming/segment-stream.js";
import type { EncodedChunk } from "../streaming/stream-encoder.js";
import type { TimedToken } from "../writing/token-writing.js";

export interface FoundRows {
	/** Without hotwords: the likeliest token of each row. */
	readonly likeliest: readonly RowToken[];
	/** With hotwords. */
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
			...{ likeliest: [], seconds: [] },
			paths: bias ? startOfRows(bias) : [],
		};
	}

	async advance(
		found: FoundRows,
		{ frames, count, width, seconds = [] }: EncodedChunk,
		first: number,
	): Promise<FoundRows> {
		if (count === 0) return found;
		const rows: TokenRows = {
			...{ values: frames, vocabulary: width, rows: count },
			end: undefined,
		};
		const options = { beam: this.#beam, rowsBefore: first, silent };
		const bias = this.#bias;
		return {
			likeliest: bias
				? []
				: [
						...found.likeliest,
						...likeliestOfRows(rows, first).filter(
							({ token }) => token !== silent,
						),
					],
			paths: bias ? followRows(found.paths, rows, { ...options, bias }) : [],
			seconds: [...found.seconds, ...seconds],
		};
	}

	tokensOf({ likeliest, paths, seconds }: FoundRows): TimedToken[] {
		const tokens = this.#bias ? tokensOfPaths(paths, this.#bias) : likeliest;
		return tokens.map(({ token, row, logp }) => ({
			...{ token, logp },
			seconds: seconds[row] ?? 0,
		}));
	}
}
