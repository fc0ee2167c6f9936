/**
 * The best path and, beside it, the prefix beam search that favours hotwords; where they differ, the rule of all kinds decides (favoured-tokens.ts).
 *
 * Probabilities of prefixes are sums over all alignments, those of the path are of one: to be comparable the favoured tokens are aligned to the rows.
 *
 * INVARIANT: what was found is immutable: the search may be resumed from any of it. Pure, and independent of any model.
 */
import { type ScoredText, withHotwords } from "../favoured-tokens.js";
import type { TokenBias } from "../hotword-graphs.js";
import type { TimedToken } from "../writing/token-writing.js";
import { alignTokens } from "./alignment.js";
import {
	type CtcScores,
	followPath,
	followPrefixes,
	type LikelyTokens,
	type PathSoFar,
	type Prefix,
	type Spike,
	spikesOfPath,
	startOfPath,
	startOfPrefixes,
	tokensOfPrefixes,
} from "./search.js";

export interface FavouringOptions {
	readonly bias: TokenBias;
	/** Prefixes kept. */
	readonly beam: number;
}

export interface FavouredSoFar {
	readonly path: PathSoFar;
	readonly prefixes: readonly Prefix[];
	readonly seen: SeenRows | undefined;
}

/** Rows of one run, and those before them. */
interface SeenRows {
	readonly rows: readonly LikelyTokens[];
	readonly before: SeenRows | undefined;
}

export function startFavouring(blank: number, bias: TokenBias): FavouredSoFar {
	return {
		path: startOfPath(blank),
		prefixes: startOfPrefixes(bias),
		seen: undefined,
	};
}

/** @param rowsBefore rows of the segment before these scores. */
export function follow(
	{ path, prefixes, seen }: FavouredSoFar,
	scores: CtcScores,
	options: FavouringOptions,
	rowsBefore = 0,
): FavouredSoFar {
	const rows: LikelyTokens[] = [];
	return {
		path: followPath(path, scores, rowsBefore),
		prefixes: followPrefixes(prefixes, scores, {
			...options,
			rowsBefore,
			onRow: (row) => rows.push(row),
		}),
		seen: { rows, before: seen },
	};
}

/** Of the best path. */
export function pathTokens(
	path: PathSoFar,
	secondsOf: (spike: Spike) => number,
): readonly TimedToken[] {
	return spikesOfPath(path).map((spike) => ({
		token: spike.token,
		logp: spike.logp,
		seconds: secondsOf(spike),
	}));
}

/** @param secondsOf when a token was said. */
export function tokensOf(
	{ path, prefixes, seen }: FavouredSoFar,
	bias: TokenBias,
	secondsOf: (spike: Spike) => number,
): readonly TimedToken[] {
	const favoured = tokensOfPrefixes(prefixes, bias);
	const plain = pathTokens(path, secondsOf);
	if (bias.read(favoured).spans.length === 0) return plain;
	const found = alignTokens(rowsOf(seen), favoured);
	// the best path loses nothing anywhere: both are compared by what they lose
	const own: ScoredText = {
		tokens: plain.map((it) => ({ ...it, total: 0 })),
		total: 0,
	};
	const other: ScoredText = {
		tokens: found.spikes.map((it) => ({
			token: it.token,
			logp: it.logp,
			total: it.total,
			seconds: secondsOf(it),
		})),
		total: found.total,
	};
	return withHotwords(own, other, bias);
}

/** Of whole segments. @param bias absent: the best path. @param cancelled polled between rows. */
export function searchRows(
	scores: CtcScores,
	options: {
		readonly bias: TokenBias | undefined;
		readonly beam: number;
		readonly cancelled: () => boolean;
		readonly secondsOf: (spike: Spike) => number;
	},
): readonly TimedToken[] | "cancelled" {
	const { bias, beam, cancelled, secondsOf } = options;
	const path = followPath(startOfPath(scores.blank), scores);
	if (!bias) return pathTokens(path, secondsOf);
	const rows: LikelyTokens[] = [];
	let prefixes = startOfPrefixes(bias);
	for (let at = scores.firstRow; at < scores.rows; at += rowsAtOnce) {
		if (cancelled()) return "cancelled";
		const end = Math.min(at + rowsAtOnce, scores.rows);
		const part = { ...scores, firstRow: at, rows: end };
		prefixes = followPrefixes(prefixes, part, {
			bias,
			beam,
			rowsBefore: 0,
			onRow: (row) => rows.push(row),
		});
	}
	const seen = { rows, before: undefined };
	return tokensOf({ path, prefixes, seen }, bias, secondsOf);
}

/** Between two polls. */
const rowsAtOnce = 8;

function rowsOf(seen: SeenRows | undefined): LikelyTokens[] {
	const parts: (readonly LikelyTokens[])[] = [];
	for (let at = seen; at; at = at.before) parts.push(at.rows);
	return parts.reverse().flat();
}
