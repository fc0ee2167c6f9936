/**
 * Two searches go through the same scores, one without hotwords and one that favours them, and their texts are merged as for Whisper
 * (search/merge-hypotheses.ts): what the favoured one has is used only where it has a hotword whose bonus makes up for what it is less likely there.
 *
 * INVARIANT: without a hotword in the favoured text, the plain tokens are returned as they are.
 *
 * Pure, and independent of any model.
 */
import {
	type HypothesisPiece,
	mergeHypotheses,
} from "../search/merge-hypotheses.js";
import type { TokenBias } from "./hotword-graphs.js";
import type { TimedToken } from "./writing/token-writing.js";

export interface ScoredToken extends TimedToken {
	/** Natural logarithm of the probability of everything so far, what lies between the tokens (blanks) included. Comparable within a segment. */
	readonly total: number;
}

/** What a search found. */
export interface ScoredText {
	readonly tokens: readonly ScoredToken[];
	/** Of the whole segment. */
	readonly total: number;
}

interface TimedPiece extends HypothesisPiece {
	readonly timed: readonly TimedToken[];
}

/** @param plain the likeliest text. @param favoured of the search with hotwords. */
export function withHotwords(
	plain: ScoredText,
	favoured: ScoredText,
	bias: TokenBias,
): readonly TimedToken[] {
	const other = readText(favoured, bias);
	if (other.spans.length === 0) return plain.tokens;
	const own = readText(plain, bias);
	const merged = mergeHypotheses(own, other, bias.margin);
	if (merged === own.pieces) return plain.tokens;
	return inOrder(merged.flatMap(({ timed }) => timed));
}

function readText({ tokens, total }: ScoredText, bias: TokenBias) {
	const { pieces, spans } = bias.read(tokens.map(({ token }) => token));
	let before = 0;
	const scored = pieces.map(({ text, tokenStart, tokenEnd }): TimedPiece => {
		const timed = tokens.slice(tokenStart, tokenEnd);
		const until = timed.at(-1)?.total ?? before;
		const logp = [until - before];
		before = until;
		return { text, tokens: timed.map(({ token }) => token), logp, timed };
	});
	return { pieces: scored, spans, endLogp: total - before };
}

/** The two searches may place the same token at different frames. */
function inOrder(tokens: readonly TimedToken[]): TimedToken[] {
	let latest = 0;
	return tokens.map((it) => {
		latest = Math.max(latest, it.seconds);
		return it.seconds < latest ? { ...it, seconds: latest } : it;
	});
}
