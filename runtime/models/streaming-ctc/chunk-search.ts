/** The searches of CTC (ctc/search.ts) in chunks of scores as they come. */
import {
	type CtcScores,
	followPath,
	followPrefixes,
	type PathSoFar,
	type Prefix,
	type Spike,
	spikesOfPath,
	spikesOfPrefixes,
	startOfPath,
	startOfPrefixes,
} from "../ctc/search.js";
import type { TokenBias } from "../hotword-graphs.js";
import { expectSymbols } from "../offline/graph-inputs.js";
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
	readonly spikesOf: (found: PathSoFar) => readonly Spike[] = spikesOfPath;

	constructor(head: CtcHead) {
		this.#head = head;
		this.start = startOfPath(head.blank);
	}

	async advance(found: PathSoFar, chunk: EncodedChunk, first: number) {
		return followPath(found, scoresOf(chunk, this.#head), first);
	}
}

/** A prefix beam search that favours hotwords. */
export class PrefixSearch implements FrameSearch<readonly Prefix[]> {
	readonly #head: CtcHead;
	readonly #bias: TokenBias;
	readonly #beam: number;
	readonly start: readonly Prefix[];
	readonly spikesOf: (found: readonly Prefix[]) => readonly Spike[];

	/** @param beam prefixes kept. */
	constructor(head: CtcHead, bias: TokenBias, beam: number) {
		this.#head = head;
		this.#bias = bias;
		this.#beam = beam;
		this.start = startOfPrefixes(bias);
		this.spikesOf = (found) => spikesOfPrefixes(found, bias);
	}

	async advance(
		found: readonly Prefix[],
		chunk: EncodedChunk,
		first: number,
	): Promise<readonly Prefix[]> {
		return followPrefixes(found, scoresOf(chunk, this.#head), {
			...{ bias: this.#bias, beam: this.#beam },
			rowsBefore: first,
		});
	}
}

/** @throws ModelFault when there are not as many symbols as scores */
function scoresOf(
	{ frames, count, width }: EncodedChunk,
	{ symbols, blank }: CtcHead,
): CtcScores {
	expectSymbols(symbols, width, true);
	return { values: frames, vocabulary: width, blank, firstRow: 0, rows: count };
}
