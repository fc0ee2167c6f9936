/**
 * From CTC scores to tokens with their times: the best path (Graves et al. 2006, "Connectionist Temporal Classification"), and with hotwords a prefix beam
 * search (Hannun et al. 2014, "First-Pass Large Vocabulary Continuous Speech Recognition using Bi-Directional Recurrent DNNs") whose prefixes earn the
 * bonus of their hotwords.
 *
 * Pure, and independent of any model.
 */
import type { Context } from "../../search/context-walk.js";
import type { TokenBias } from "../hotword-graphs.js";
import { likeliest, logAdd, logSumOf } from "../log-probability.js";

export interface Spike {
	readonly token: number;
	/** Row of the scores, that of its highest probability. */
	readonly row: number;
	/** The first of its rows. */
	readonly firstRow: number;
	/** Natural logarithm of its probability there. */
	readonly logp: number;
}

/** [rows, vocabulary], before the softmax. */
export interface CtcScores {
	readonly values: Float32Array;
	readonly vocabulary: number;
	/** Id of the blank. */
	readonly blank: number;
	readonly firstRow: number;
	/** One past the last row. */
	readonly rows: number;
}

/** Tokens per row that may extend a prefix. */
const tokensOfRow = 16;
const never = Number.NEGATIVE_INFINITY;

export function bestPath(scores: CtcScores): Spike[] {
	const { blank } = scores;
	const spikes: Spike[] = [];
	let before = blank;
	for (let row = scores.firstRow; row < scores.rows; row++) {
		const values = rowOf(scores, row);
		const [token = blank] = likeliest(values, 1);
		if (token === blank) before = blank;
		else {
			const logp = (values[token] as number) - logSumOf(values);
			const last = spikes.at(-1);
			if (token !== before) spikes.push({ token, row, firstRow: row, logp });
			// a token's time is the row of its highest probability
			else if (last && logp > last.logp)
				spikes[spikes.length - 1] = { ...last, row, logp };
			before = token;
		}
	}
	return spikes;
}

interface Prefix {
	readonly key: string;
	readonly spike: Spike | undefined;
	readonly before: Prefix | undefined;
	readonly context: Context;
	readonly bonus: number;
	/** Natural logarithms of the probability that it ends in a blank, and that it does not. */
	readonly blankLogp: number;
	readonly tokenLogp: number;
}

/** @param beam prefixes kept. @param cancelled polled between rows. */
export function biasedPrefixes(
	scores: CtcScores,
	bias: TokenBias,
	beam: number,
	cancelled: () => boolean = () => false,
): Spike[] | "cancelled" {
	let prefixes: readonly Prefix[] = [
		{
			key: "",
			spike: undefined,
			before: undefined,
			context: bias.start,
			bonus: 0,
			blankLogp: 0,
			tokenLogp: never,
		},
	];
	for (let row = scores.firstRow; row < scores.rows; row++) {
		if (cancelled()) return "cancelled";
		prefixes = new Step(bias, scores, row)
			.follow(prefixes)
			.sort((a, b) => totalOf(b) + b.bonus - (totalOf(a) + a.bonus))
			.slice(0, beam);
	}
	const endOf = (one: Prefix) => totalOf(one) + bias.bonusAtEnd(one.context);
	const best = prefixes.reduce((a, b) => (endOf(b) > endOf(a) ? b : a));
	const spikes: Spike[] = [];
	for (let at: Prefix | undefined = best; at?.spike; at = at.before)
		spikes.unshift(at.spike);
	return spikes;
}

/** One row, and the prefixes that it leads to. */
class Step {
	readonly #bias: TokenBias;
	readonly #values: Float32Array;
	readonly #row: number;
	readonly #blank: number;
	readonly #found = new Map<string, Prefix>();
	readonly #logSum: number;
	readonly #tokens: readonly number[];

	constructor(bias: TokenBias, scores: CtcScores, row: number) {
		const values = rowOf(scores, row);
		this.#bias = bias;
		this.#values = values;
		this.#row = row;
		this.#blank = scores.blank;
		this.#logSum = logSumOf(values);
		this.#tokens = likeliest(values, tokensOfRow);
	}

	follow(prefixes: readonly Prefix[]): Prefix[] {
		for (const prefix of prefixes) {
			const total = totalOf(prefix);
			this.#stay(prefix, total + this.#logp(this.#blank), never);
			const last = prefix.spike?.token;
			if (last !== undefined)
				this.#stay(prefix, never, prefix.tokenLogp + this.#logp(last));
			for (const token of this.#tokens) {
				if (token === this.#blank) continue;
				// the same token counts as a new one only after a blank
				const from = token === last ? prefix.blankLogp : total;
				if (from > never) this.#grow(prefix, token, from);
			}
		}
		return [...this.#found.values()];
	}

	#logp(token: number): number {
		return (this.#values[token] as number) - this.#logSum;
	}

	#stay(prefix: Prefix, blankLogp: number, tokenLogp: number): void {
		const same = this.#found.get(prefix.key);
		this.#found.set(prefix.key, {
			...(same ?? prefix),
			blankLogp: logAdd(same?.blankLogp ?? never, blankLogp),
			tokenLogp: logAdd(same?.tokenLogp ?? never, tokenLogp),
		});
	}

	#grow(prefix: Prefix, token: number, from: number): void {
		const logp = this.#logp(token);
		const key = `${prefix.key} ${token}`;
		const same = this.#found.get(key);
		if (same) {
			this.#found.set(key, {
				...same,
				tokenLogp: logAdd(same.tokenLogp, from + logp),
			});
			return;
		}
		const last = prefix.spike?.token;
		const context = this.#bias.advance(prefix.context, token, last);
		this.#found.set(key, {
			key,
			spike: { token, row: this.#row, firstRow: this.#row, logp },
			before: prefix,
			context,
			bonus: this.#bias.bonus(context),
			blankLogp: never,
			tokenLogp: from + logp,
		});
	}
}

function totalOf({ blankLogp, tokenLogp }: Prefix): number {
	return logAdd(blankLogp, tokenLogp);
}

function rowOf({ values, vocabulary }: CtcScores, row: number): Float32Array {
	return values.subarray(row * vocabulary, (row + 1) * vocabulary);
}
