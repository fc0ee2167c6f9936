/** The searches of CTC (ctc/search.ts) in chunks of scores as they come. */
import {
	type FavouredSoFar,
	type FavouringOptions,
	follow,
	startFavouring,
} from "../ctc/favouring-search.js";
import {
	type CtcScores,
	followPath,
	type PathSoFar,
	startOfPath,
} from "../ctc/search.js";
import { expectSymbols } from "../graph-checks.js";
import { CopiedScores } from "../offline/score-rows.js";
import type { FrameSearch } from "../streaming/segment-stream.js";
import type { EncodedChunk } from "../streaming/stream-encoder.js";
import type { SymbolTable } from "../writing/symbol-table.js";

export interface CtcHead {
	readonly symbols: SymbolTable;
	/** Id of the blank. */
	readonly blank: number;
}

/** The likeliest token of every row. */
export class PathSearch implements FrameSearch<PathSoFar> {
	readonly #head: CtcHead;
	readonly start: PathSoFar;

	constructor(head: CtcHead) {
		this.#head = head;
		this.start = startOfPath(head.blank);
	}

	async advance(found: PathSoFar, chunk: EncodedChunk, first: number) {
		return followPath(found, scoresOf(chunk, this.#head), first);
	}
}

/** The same, and beside it a prefix beam search that favours hotwords. */
export class FavouringSearch implements FrameSearch<FavouredSoFar> {
	readonly #head: CtcHead;
	readonly #options: FavouringOptions;
	readonly start: FavouredSoFar;

	constructor(head: CtcHead, options: FavouringOptions) {
		this.#head = head;
		this.#options = options;
		this.start = startFavouring(head.blank, options.bias);
	}

	async advance(found: FavouredSoFar, chunk: EncodedChunk, first: number) {
		return follow(found, scoresOf(chunk, this.#head), this.#options, first);
	}
}

/** @throws ModelFault when there are not as many symbols as scores */
function scoresOf(
	{ frames, count, width }: EncodedChunk,
	{ symbols, blank }: CtcHead,
): CtcScores {
	expectSymbols(symbols, width, true);
	const table = new CopiedScores(frames, width);
	return { table, blank, firstRow: 0, rows: count };
}
