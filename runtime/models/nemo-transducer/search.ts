/**
 * Search for transducers that may emit several tokens at a frame, and for those that also predict durations (Xu et al. 2023, "Efficient Sequence Transduction
 * by Jointly Predicting Tokens and Durations", TDT): a token is emitted at a frame and the hypothesis goes on some frames later. Hypotheses are at different
 * frames; those that are furthest behind are continued first. With a beam of one it is greedy search. Hotwords add a bonus (shallow fusion).
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import {
	likeliest,
	likeliestOne,
	logAdd,
	logSumOf,
} from "../../search/log-probability.js";
import type { TokenBias } from "../hotword-graphs.js";
import { type Emitted, tokensWanted } from "../transducer/beam.js";

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
export const tokensPerFrameMax = { withDurations: 5, without: 10 } as const;

/** What a search found: tokens in order, and the probability of all of them. */
export interface EmittedText {
	readonly emitted: readonly Emitted[];
	/** Natural logarithm. */
	readonly total: number;
}

/** @returns what is found without hotwords, and, where there are some, what is found with them. */
export async function searchDurations<State>(
	network: JointNetwork<State>,
	initial: State,
	options: DurationSearchOptions,
): Promise<readonly EmittedText[] | "cancelled"> {
	const { frames, bias, cancelled } = options;
	const biases = bias ? [undefined, bias] : [undefined];
	const searches = biases.map((it) => ({
		options: { ...options, bias: it },
		hypotheses: startOf(initial, it),
	}));
	const shared = new SharedNetwork(network);
	for (;;) {
		const all = searches.flatMap(({ hypotheses }) => hypotheses);
		const frame = Math.min(...all.map((it) => it.frame));
		if (frame >= frames) break;
		if (cancelled()) return "cancelled";
		await shared.score(
			all.filter((it) => it.frame === frame),
			frame,
		);
		for (const one of searches)
			one.hypotheses = continued(one.hypotheses, shared, frame, one.options);
	}
	return searches.map(({ hypotheses, options }) => {
		const best = bestAtEnd(hypotheses, options.bias);
		return { emitted: emittedBy(best), total: best.logp };
	});
}

function startOf<State>(
	state: State,
	bias: TokenBias | undefined,
): readonly Hypothesis<State>[] {
	return [
		{
			last: undefined,
			key: "",
			logp: 0,
			bonus: 0,
			context: bias?.start,
			frame: 0,
			emittedHere: 0,
			state,
		},
	];
}

/** Those at the frame go on, the others stay. */
function continued<State>(
	hypotheses: readonly Hypothesis<State>[],
	shared: SharedNetwork<State>,
	frame: number,
	options: DurationSearchOptions,
): readonly Hypothesis<State>[] {
	const ahead = hypotheses.filter((it) => it.frame !== frame);
	const next = hypotheses
		.filter((it) => it.frame === frame)
		.flatMap((it) => {
			const { state, scores } = shared.of(it);
			const { pending, ...ready } = it;
			return continuations({ ...ready, state }, scores, options);
		});
	return merged([...ahead, ...next])
		.sort((a, b) => b.logp + b.bonus - (a.logp + a.bonus))
		.slice(0, options.beam);
}

/** After the same tokens both searches have the same state, and in the same frame the same scores: they are computed once. */
class SharedNetwork<State> {
	readonly #network: JointNetwork<State>;
	/** By the tokens before. */
	#states = new Map<string, State>();
	#scores = new Map<string, Float32Array>();
	#frame = -1;

	constructor(network: JointNetwork<State>) {
		this.#network = network;
	}

	/** @param hypotheses that are at the frame. */
	async score(
		hypotheses: readonly Hypothesis<State>[],
		frame: number,
	): Promise<void> {
		if (frame !== this.#frame) {
			this.#states = new Map();
			this.#scores = new Map();
		}
		this.#frame = frame;
		const unknown = hypotheses.filter(
			({ key }, i) =>
				!this.#scores.has(key) &&
				hypotheses.findIndex((it) => it.key === key) === i,
		);
		if (unknown.length === 0) return;
		for (const { key, state, pending } of unknown)
			this.#states.set(
				key,
				pending === undefined
					? state
					: await this.#network.after(state, pending),
			);
		const scores = await this.#network.scores(
			unknown.map(() => frame),
			unknown.map(({ key }) => this.#states.get(key) as State),
		);
		for (const [row, { key }] of unknown.entries())
			this.#scores.set(key, scores[row] as Float32Array);
	}

	of({ key }: Hypothesis<State>) {
		return {
			state: this.#states.get(key) as State,
			scores: this.#scores.get(key) as Float32Array,
		};
	}
}

/** @param scores of tokens and durations. */
function continuations<State>(
	hypothesis: Hypothesis<State>,
	scores: Float32Array,
	options: DurationSearchOptions,
): Hypothesis<State>[] {
	const { vocabulary, bias } = options;
	const tokens = scores.subarray(0, vocabulary);
	const durations = scores.subarray(vocabulary);
	const total = logSumOf(tokens);
	const [skip, skipLogp] = likeliestDuration(durations);
	return likeliest(tokens, tokensWanted(options)).map((token) => {
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
			...emitting(hypothesis, token, { tokenLogp, logp }, bias),
			...placeAfter(hypothesis, skip),
		};
	});
}

/** @returns undefined frames where the model has no durations. */
export function likeliestDuration(
	durations: Float32Array,
): readonly [frames: number | undefined, logp: number] {
	if (durations.length === 0) return [undefined, 0];
	const best = likeliestOne(durations) ?? 0;
	return [best, (durations[best] as number) - logSumOf(durations)];
}

function emitting<State>(
	{ last, key, context, bonus, frame, state }: Hypothesis<State>,
	token: number,
	{ tokenLogp, logp }: { readonly tokenLogp: number; readonly logp: number },
	bias: TokenBias | undefined,
) {
	const next =
		bias && context ? bias.advance(context, token, last?.token) : context;
	return {
		last: { token, frame, logp: tokenLogp, total: logp, before: last },
		key: `${key} ${token}`,
		logp,
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
