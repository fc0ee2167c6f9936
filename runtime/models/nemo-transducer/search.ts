/**
 * Search for transducers that may emit several tokens at a frame, and for those that also predict durations (Xu et al. 2023, "Efficient Sequence Transduction
 * by Jointly Predicting Tokens and Durations", TDT): a token is emitted at a frame and the hypothesis goes on some frames later. Hypotheses are at different
 * frames; those that are furthest behind are continued first. With a beam of one it is greedy search. Hotwords add a bonus (shallow fusion).
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import type { TokenBias } from "../hotword-graphs.js";
import {
	likeliest,
	likeliestOne,
	logAdd,
	logSumOf,
} from "../log-probability.js";
import type { Emitted } from "../zipformer/beam.js";

/** What the search asks of a model. */
export interface JointNetwork<State> {
	/** Scores of the tokens, the blank last; behind them those of durations of 0, 1, ... frames, where it has them. */
	scores(
		frames: readonly number[],
		states: readonly State[],
	): Promise<readonly Float32Array[]>;
	/** The state after one more token. Called only for hypotheses that are kept. */
	after(state: State, token: number): Promise<State>;
}

export interface DurationSearchOptions {
	/** Frames of the segment. */
	readonly frames: number;
	/** Tokens with the blank, which is the last. */
	readonly vocabulary: number;
	readonly beam: number;
	readonly bias: TokenBias | undefined;
	readonly cancelled: () => boolean;
}

interface Hypothesis<State> {
	readonly last: Emitted | undefined;
	/** Its tokens as text, for comparison with others. */
	readonly key: string;
	/** Natural logarithm of its probability, without hotwords. */
	readonly logp: number;
	readonly context: Context | undefined;
	readonly bonus: number;
	/** The next frame, and the tokens emitted at it. */
	readonly frame: number;
	readonly emittedHere: number;
	readonly state: State;
	/** A token whose state is not computed yet. */
	readonly pending?: number;
}

/** As in sherpa-onnx's greedy search: then the next frame follows. */
const tokensPerFrameMax = { withDurations: 5, without: 10 } as const;
/** Tokens of each hypothesis beyond the beam that are considered for hotwords. */
const biasedTokens = 12;

/** @returns the tokens, in order. */
export async function searchDurations<State>(
	network: JointNetwork<State>,
	initial: State,
	options: DurationSearchOptions,
): Promise<Emitted[] | "cancelled"> {
	const { frames, beam, bias, cancelled } = options;
	let hypotheses: readonly Hypothesis<State>[] = [
		{
			...{ last: undefined, key: "", logp: 0, bonus: 0 },
			...{ context: bias?.start, frame: 0, emittedHere: 0, state: initial },
		},
	];
	for (;;) {
		const frame = Math.min(...hypotheses.map((it) => it.frame));
		if (frame >= frames) break;
		if (cancelled()) return "cancelled";
		const behind = hypotheses.filter((it) => it.frame === frame);
		const ahead = hypotheses.filter((it) => it.frame !== frame);
		const ready: Hypothesis<State>[] = [];
		for (const it of behind) ready.push(await withState(network, it));
		const scores = await network.scores(
			ready.map(() => frame),
			ready.map(({ state }) => state),
		);
		const next = ready.flatMap((it, row) =>
			continuations(it, scores[row] as Float32Array, options),
		);
		hypotheses = merged([...ahead, ...next])
			.sort((a, b) => b.logp + b.bonus - (a.logp + a.bonus))
			.slice(0, beam);
	}
	return emittedBy(bestAtEnd(hypotheses, bias));
}

async function withState<State>(
	network: JointNetwork<State>,
	{ pending, ...hypothesis }: Hypothesis<State>,
): Promise<Hypothesis<State>> {
	if (pending === undefined) return hypothesis;
	return {
		...hypothesis,
		state: await network.after(hypothesis.state, pending),
	};
}

/** @param scores of tokens and durations. */
function continuations<State>(
	hypothesis: Hypothesis<State>,
	scores: Float32Array,
	{ vocabulary, beam, bias }: DurationSearchOptions,
): Hypothesis<State>[] {
	const tokens = scores.subarray(0, vocabulary);
	const durations = scores.subarray(vocabulary);
	const total = logSumOf(tokens);
	const [skip, skipLogp] = likeliestDuration(durations);
	const most = bias ? beam + biasedTokens : beam;
	return likeliest(tokens, most).map((token) => {
		const tokenLogp = (tokens[token] as number) - total;
		const logp = hypothesis.logp + tokenLogp + skipLogp;
		if (token === vocabulary - 1)
			return {
				...hypothesis,
				logp,
				frame: hypothesis.frame + Math.max(1, skip ?? 1),
				emittedHere: 0,
			};
		return {
			...emitting(hypothesis, token, tokenLogp, bias),
			...placeAfter(hypothesis, skip),
			logp,
		};
	});
}

/** @returns undefined frames where the model has no durations. */
function likeliestDuration(
	durations: Float32Array,
): readonly [frames: number | undefined, logp: number] {
	if (durations.length === 0) return [undefined, 0];
	const best = likeliestOne(durations) ?? 0;
	return [best, (durations[best] as number) - logSumOf(durations)];
}

function emitting<State>(
	{ last, key, context, bonus, frame, state }: Hypothesis<State>,
	token: number,
	logp: number,
	bias: TokenBias | undefined,
) {
	const next =
		bias && context ? bias.advance(context, token, last?.token) : context;
	return {
		last: { token, frame, logp, before: last },
		key: `${key} ${token}`,
		context: next,
		bonus: bias && next ? bias.bonus(next) : bonus,
		state,
		pending: token,
	};
}

/** Where a hypothesis goes on after a token. */
function placeAfter(
	{ frame, emittedHere }: Hypothesis<unknown>,
	skip: number | undefined,
) {
	const most =
		skip === undefined
			? tokensPerFrameMax.without
			: tokensPerFrameMax.withDurations;
	if (skip) return { frame: frame + skip, emittedHere: 0 };
	if (emittedHere + 1 >= most) return { frame: frame + 1, emittedHere: 0 };
	return { frame, emittedHere: emittedHere + 1 };
}

/** Hypotheses with the same tokens at the same place are one: their probabilities are added. */
function merged<State>(
	hypotheses: readonly Hypothesis<State>[],
): Hypothesis<State>[] {
	const found = new Map<string, Hypothesis<State>>();
	for (const it of hypotheses) {
		const key = `${it.frame}:${it.key}`;
		const same = found.get(key);
		found.set(key, same ? joined(same, it) : it);
	}
	return [...found.values()];
}

/** The likelier one's times stay. */
function joined<State>(
	a: Hypothesis<State>,
	b: Hypothesis<State>,
): Hypothesis<State> {
	return { ...(a.logp >= b.logp ? a : b), logp: logAdd(a.logp, b.logp) };
}

function bestAtEnd<State>(
	hypotheses: readonly Hypothesis<State>[],
	bias: TokenBias | undefined,
): Hypothesis<State> {
	const scoreOf = ({ logp, context }: Hypothesis<State>) =>
		logp + (bias && context ? bias.bonusAtEnd(context) : 0);
	return hypotheses.reduce((best, it) =>
		scoreOf(it) > scoreOf(best) ? it : best,
	);
}

function emittedBy({ last }: Hypothesis<unknown>): Emitted[] {
	const emitted: Emitted[] = [];
	for (let at = last; at; at = at.before) emitted.push(at);
	return emitted.reverse();
}
