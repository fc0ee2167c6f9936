/**
 * The part of an offline recognizer that differs between kinds of model: from the samples of a whole segment to tokens with times. Everything else (guards,
 * hotwords, text) is in recognizer.ts.
 */
import type { Language } from "../../text/languages.js";
import type { TokenBias } from "../hotword-graphs.js";
import type { SymbolTable } from "../writing/symbol-table.js";
import type { TimedToken } from "../writing/token-writing.js";

export interface TokenRequest {
	/** Mono, 16 kHz, [-1, 1]. */
	readonly samples: Float32Array;
	readonly language: Language;
	/** Hypotheses kept; 1 is greedy search. */
	readonly beam: number;
	/** Hotwords to favour. */
	readonly bias: TokenBias | undefined;
	/** Polled between steps; true ends the work. */
	readonly cancelled: () => boolean;
}

export type FoundTokens = readonly TimedToken[] | "cancelled";

export interface TokenModel {
	readonly symbols: SymbolTable;
	/** Segments that cost less when they are recognized together; 1 where they do not. */
	readonly togetherMax: number;
	/** It does not say when its tokens were said: their `seconds` are 0, and are estimated. Absent: it does. */
	readonly untimed?: boolean;
	/** @returns the tokens of each request. @throws ModelFault when the graphs' output is not finite or does not fit. */
	tokensOf(requests: readonly TokenRequest[]): Promise<readonly FoundTokens[]>;
	close(): Promise<void>;
}

/** For models whose segments share nothing: one run takes all the time. */
export async function oneByOne(
	requests: readonly TokenRequest[],
	tokensOf: (request: TokenRequest) => Promise<FoundTokens>,
): Promise<readonly FoundTokens[]> {
	const found: FoundTokens[] = [];
	for (const request of requests)
		found.push(request.cancelled() ? "cancelled" : await tokensOf(request));
	return found;
}
