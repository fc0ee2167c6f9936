/**
 * Search with a decoder that writes one token after the other and attends to the whole segment. Without hotwords it is greedy, as these models are published
 * and measured; with them a beam search beside it, in which hypotheses earn the bonus of their hotwords (shallow fusion).
 *
 * INVARIANTS
 * - The text is that of greedy search, unless one with more hotwords is likelier with their bonus.
 * - A hypothesis ends only where the end is its likeliest continuation: by their sums alone short texts would win.
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import { likeliest, logSumOf } from "../../search/log-probability.js";
import { loopLength, withoutLoop } from "../../search/repetition.js";
import type { TokenBias } from "../hotword-graphs.js";

/** A decoder of one segment. States are not changed by a step: several hypotheses may continue one. */
export interface SteppedDecoder<State> {
	/** @param state after the tokens before, undefined at the beginning. @returns scores of what follows the token: [vocabulary] */
	step(
		state: State | undefined,
		token: number,
	): Promise<{ readonly scores: Float32Array; readonly state: State }>;
	/** The state is not continued any more. */
	release(state: State): void;
}

export interface DecoderSearchOptions {
	readonly startOfText: number;
	readonly endOfText: number;
	/** Tokens of a text. */
	readonly tokensMax: number;
	/** Hypotheses kept, where there are hotwords. */
	readonly beam: number;
	readonly bias: TokenBias | undefined;
	readonly cancelled: () => boolean;
}

export interface DecodedToken {
	readonly token: number;
	/** Natural logarithm of its probability. */
	readonly logp: number;
}

interface Hypothesis<State> {
	/** What greedy search finds. */
	readonly greedy: boolean;
	readonly tokens: readonly DecodedToken[];
	/** After all tokens but the last. */
	readonly state: State | undefined;
	readonly logp: number;
	readonly context: Context | undefined;
	readonly bonus: number;
}

/** Tokens of each hypothesis beyond the beam that are considered for hotwords; a decoder that knows the language finds a rare name unlikely. */
const biasedTokens = 32;

/** Hypotheses further behind would need a bonus that hardly any hotword has; each costs a step as expensive as the first one's. */
const reachNats = 10;

/** @returns the tokens of the text, in order, without the end. A loop at its end is cut. */
export async function searchDecoder<State>(
	decoder: SteppedDecoder<State>,
	options: DecoderSearchOptions,
): Promise<readonly DecodedToken[] | "cancelled"> {
	const { beam, bias, tokensMax, cancelled } = options;
	const ended: Hypothesis<State>[] = [];
	let open: readonly Hypothesis<State>[] = [
		{
			greedy: true,
			tokens: [],
			state: undefined,
			logp: 0,
			bonus: 0,
			context: bias?.start,
		},
	];
	try {
		for (let length = 0; length < tokensMax && open.length > 0; length++) {
			if (cancelled()) return "cancelled";
			const next = await continued(decoder, open, ended, options);
			const looping = next.filter((it) => loopLength(idsOf(it)) > 0);
			// a hotword in it would earn its bonus every time
			ended.push(...looping.filter((it) => it.greedy));
			const kept = keptOf(
				next.filter((it) => !looping.includes(it)),
				beam,
			);
			release(decoder, [...open, ...next], kept);
			open = kept;
			if (isDecided(ended, open, options)) break;
		}
	} finally {
		release(decoder, open);
	}
	const greedy = [...ended, ...open].find((it) => it.greedy);
	const best = greedy && (bias ? bestWith(greedy, ended, bias) : greedy);
	return best ? best.tokens.slice(0, withoutLoop(idsOf(best)).length) : [];
}

/** The best ones within reach of the first, and that of greedy search. */
function keptOf<State>(
	hypotheses: readonly Hypothesis<State>[],
	beam: number,
): Hypothesis<State>[] {
	const best = hypotheses.toSorted((a, b) => scoreOf(b) - scoreOf(a));
	const least = Math.max(...best.map(scoreOf)) - reachNats;
	return best.filter(
		(it, rank) => it.greedy || (rank < beam && scoreOf(it) >= least),
	);
}

/** One step of each hypothesis. @param ended those that end here are added. */
async function continued<State>(
	decoder: SteppedDecoder<State>,
	hypotheses: readonly Hypothesis<State>[],
	ended: Hypothesis<State>[],
	{ startOfText, endOfText, beam, bias }: DecoderSearchOptions,
): Promise<Hypothesis<State>[]> {
	const next: Hypothesis<State>[] = [];
	for (const hypothesis of hypotheses) {
		const last = hypothesis.tokens.at(-1)?.token;
		const { scores, state } = await decoder.step(
			hypothesis.state,
			last ?? startOfText,
		);
		const total = logSumOf(scores);
		const tokens = likeliest(scores, bias ? beam + biasedTokens : 1);
		if (tokens[0] === endOfText) {
			const logp = hypothesis.logp + (scores[endOfText] as number) - total;
			ended.push({ ...hypothesis, state: undefined, logp });
		}
		const others = tokens.filter((it) => it !== endOfText);
		if (others.length === 0) decoder.release(state);
		for (const token of others) {
			const logp = (scores[token] as number) - total;
			const longer = extended(hypothesis, { token, logp }, bias);
			const greedy = hypothesis.greedy && token === tokens[0];
			next.push({ ...longer, greedy, state });
		}
	}
	return next;
}

function extended<State>(
	{ tokens, logp, context, bonus }: Hypothesis<State>,
	next: DecodedToken,
	bias: TokenBias | undefined,
): Omit<Hypothesis<State>, "greedy" | "state"> {
	const after =
		bias && context
			? bias.advance(context, next.token, tokens.at(-1)?.token)
			: context;
	return {
		tokens: [...tokens, next],
		logp: logp + next.logp,
		context: after,
		bonus: bias && after ? bias.bonus(after) : bonus,
	};
}

/** Hypotheses share states: those of the kept ones stay. */
function release<State>(
	decoder: SteppedDecoder<State>,
	hypotheses: readonly Hypothesis<State>[],
	kept: readonly Hypothesis<State>[] = [],
): void {
	const needed = new Set(kept.map((it) => it.state));
	for (const state of new Set(hypotheses.map((it) => it.state)))
		if (state !== undefined && !needed.has(state)) decoder.release(state);
}

/** No open hypothesis can become the best any more. */
function isDecided(
	ended: readonly Hypothesis<unknown>[],
	open: readonly Hypothesis<unknown>[],
	{ beam, bias }: DecoderSearchOptions,
): boolean {
	if (!bias || open.some((it) => it.greedy)) return false;
	if (ended.length > beam) return true;
	const best = Math.max(...ended.map((it) => scoreAtEnd(it, bias)));
	return open.every((it) => scoreOf(it) <= best);
}

/** @param greedy what is found without hotwords. */
function bestWith<State>(
	greedy: Hypothesis<State>,
	ended: readonly Hypothesis<State>[],
	bias: TokenBias,
): Hypothesis<State> {
	const plain = bonusAtEnd(greedy, bias);
	return ended
		.filter((it) => bonusAtEnd(it, bias) > plain)
		.reduce(
			(a, b) => (scoreAtEnd(b, bias) > scoreAtEnd(a, bias) ? b : a),
			greedy,
		);
}

function scoreOf({ logp, bonus }: Hypothesis<unknown>): number {
	return logp + bonus;
}

function scoreAtEnd(it: Hypothesis<unknown>, bias: TokenBias): number {
	return it.logp + bonusAtEnd(it, bias);
}

function bonusAtEnd({ context }: Hypothesis<unknown>, bias: TokenBias): number {
	return context ? bias.bonusAtEnd(context) : 0;
}

function idsOf({ tokens }: Hypothesis<unknown>): number[] {
	return tokens.map(({ token }) => token);
}
