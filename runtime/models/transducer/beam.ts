/**
 * Modified beam search for transducers, as in icefall: at every frame each hypothesis emits one token or none, hypotheses with the same tokens are merged
 * and their probabilities added, and the likeliest are kept. With a beam of one it is greedy search. Hotwords add a bonus (shallow fusion).
 *
 * INVARIANT: hypotheses are immutable: a search may be resumed from any of them.
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import { likeliest, logAdd } from "../../search/log-probability.js";
import type { ScoredText } from "../favoured-tokens.js";
import type { TokenBias } from "../hotword-graphs.js";

export interface Emitted {
	readonly token: number;
	/** Encoder frame, from the segment's start. */
	readonly frame: number;
	/** Natural logarithm of its probability when it was emitted. */
	readonly logp: number;
	/** That of the hypothesis with it. */
	readonly total: number;
	readonly before: Emitted | undefined;
}

export interface BeamHypothesis {
	readonly last: Emitted | undefined;
	readonly length: number;
	/** Its tokens as text, for comparison with others. */
	readonly key: string;
	/** Natural logarithm of its probability, without hotwords. */
	readonly logp: number;
	readonly context: Context | undefined;
	/** Bonus of hotwords. */
	readonly bonus: number;
}

export interface BeamOptions {
	readonly beam: number;
	/** Tokens without text: blank first. */
	readonly silent: ReadonlySet<number>;
	readonly bias: TokenBias | undefined;
	/** Hypotheses are dropped that are this much less likely than the best one, natural logarithm. Default: only the beam limits them. */
	readonly within?: number;
}

interface Candidate {
	readonly row: number;
	readonly token: number;
	readonly tokenLogp: number;
	readonly logp: number;
	readonly context: Context | undefined;
	readonly bonus: number;
}

/** The likeliest tokens after a hypothesis, best first: as many as `tokensWanted` says. */
export interface LikelyTokens {
	readonly tokens: ArrayLike<number>;
	/** Natural logarithms of their probabilities. */
	readonly logps: ArrayLike<number>;
}

/** Tokens of each hypothesis beyond the beam that are considered for hotwords. */
const biasedTokens = 12;

export function startOf(bias: TokenBias | undefined): BeamHypothesis[] {
	return [
		{
			last: undefined,
			length: 0,
			key: "",
			logp: 0,
			context: bias?.start,
			bonus: 0,
		},
	];
}

/** How many tokens of each hypothesis are considered. */
export function tokensWanted({
	beam,
	bias,
}: Pick<BeamOptions, "beam" | "bias">): number {
	return bias ? beam + biasedTokens : beam;
}

/** @param logps natural log-probabilities, by hypothesis: of all tokens, or the likeliest. @returns best first. */
export function advance(
	hypotheses: readonly BeamHypothesis[],
	logps: readonly (Float32Array | LikelyTokens)[],
	frame: number,
	options: BeamOptions,
): BeamHypothesis[] {
	const { beam, silent, within = Number.POSITIVE_INFINITY } = options;
	const candidates: Candidate[] = [];
	let most = Number.NEGATIVE_INFINITY;
	hypotheses.forEach((hypothesis, row) => {
		const least = most - within;
		for (const it of candidatesOf(hypothesis, row, logps, least, options)) {
			const score = it.logp + it.bonus;
			if (score < most - within) continue;
			most = Math.max(most, score);
			candidates.push(it);
		}
	});
	candidates.sort((a, b) => b.logp + b.bonus - (a.logp + a.bonus));
	const found = new Map<string, BeamHypothesis>();
	for (const candidate of candidates.slice(0, beam)) {
		if (candidate.logp + candidate.bonus < most - within) break;
		const parent = hypotheses[candidate.row] as BeamHypothesis;
		const next = silent.has(candidate.token)
			? continued(parent, candidate.logp)
			: extended(parent, candidate, frame);
		const same = found.get(next.key);
		found.set(
			next.key,
			same ? { ...same, logp: logAdd(same.logp, next.logp) } : next,
		);
	}
	return [...found.values()].sort(
		(a, b) => b.logp + b.bonus - (a.logp + a.bonus),
	);
}

/** The best hypothesis if the segment ends here, by log-probability per token. @param contextSize tokens of the initial context, which count too. */
function bestOf(
	hypotheses: readonly BeamHypothesis[],
	bias: TokenBias | undefined,
	contextSize: number,
): BeamHypothesis {
	const scoreOf = ({ logp, length, context }: BeamHypothesis) =>
		(logp + (bias && context ? bias.bonusAtEnd(context) : 0)) /
		(length + contextSize);
	return hypotheses.reduce((best, it) =>
		scoreOf(it) > scoreOf(best) ? it : best,
	);
}

/** The best one's tokens with their times. @param seconds of a frame. */
export function bestText(
	hypotheses: readonly BeamHypothesis[],
	options: {
		readonly contextSize: number;
		readonly seconds: number;
		readonly bias?: TokenBias;
	},
): ScoredText {
	const best = bestOf(hypotheses, options.bias, options.contextSize);
	const tokens = emittedBy(best).map(({ token, frame, logp, total }) => ({
		token,
		logp,
		total,
		seconds: frame * options.seconds,
	}));
	return { tokens, total: best.logp };
}

export function emittedBy({ last, length }: BeamHypothesis): Emitted[] {
	const emitted: Emitted[] = Array(length);
	for (let at = last, i = length - 1; at; at = at.before, i--) emitted[i] = at;
	return emitted;
}

function candidatesOf(
	hypothesis: BeamHypothesis,
	row: number,
	logps: readonly (Float32Array | LikelyTokens)[],
	least: number,
	options: BeamOptions,
): Candidate[] {
	const { silent, bias } = options;
	// a bonus may make up for any distance
	const from = bias ? Number.NEGATIVE_INFINITY : least - hypothesis.logp;
	const scores = logps[row] as Float32Array | LikelyTokens;
	const most = tokensWanted(options);
	return likelyTokens(scores, most, from).map(([token, tokenLogp]) => {
		const { context } = hypothesis;
		const next =
			bias && context && !silent.has(token)
				? bias.advance(context, token, hypothesis.last?.token)
				: context;
		return {
			row,
			token,
			tokenLogp,
			logp: hypothesis.logp + tokenLogp,
			context: next,
			bonus: bias && next ? bias.bonus(next) : 0,
		};
	});
}

function likelyTokens(
	scores: Float32Array | LikelyTokens,
	most: number,
	from: number,
): (readonly [token: number, logp: number])[] {
	if (scores instanceof Float32Array)
		return likeliest(scores, most, from).map((token) => [
			token,
			scores[token] as number,
		]);
	const found: [number, number][] = [];
	for (let i = 0; i < Math.min(most, scores.tokens.length); i++) {
		const logp = scores.logps[i] as number;
		if (logp >= from) found.push([scores.tokens[i] as number, logp]);
	}
	return found;
}

/** Without a new token. A spread costs several times as much. */
function continued(
	{ last, length, key, context, bonus }: BeamHypothesis,
	logp: number,
): BeamHypothesis {
	return { last, length, key, logp, context, bonus };
}

function extended(
	parent: BeamHypothesis,
	{ token, tokenLogp, logp, context, bonus }: Candidate,
	frame: number,
): BeamHypothesis {
	return {
		last: { token, frame, logp: tokenLogp, total: logp, before: parent.last },
		length: parent.length + 1,
		key: `${parent.key} ${token}`,
		logp,
		context,
		bonus,
	};
}
