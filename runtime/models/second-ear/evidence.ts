/** The recognized syllables of a segment with their alternatives, and the scores of other syllable sequences. */
import type {
	RecognizedSyllable,
	SyllableEvidence,
	WantedSyllable,
} from "../../search/lattice/syllables.js";
import { logAdd } from "../../search/log-probability.js";
import type { Emitted } from "../transducer/beam.js";
import type { Transducer } from "../transducer/transducer.js";
import { ForcedScore, type Place } from "./forced-score.js";
import type { PinyinSymbols } from "./pinyin-symbols.js";
import { type EmittedSyllable, placeTokens } from "./place-tokens.js";

/** A decoded segment. */
export interface DecodedSegment {
	/** Of the best hypothesis, in order. */
	readonly emitted: readonly Emitted[];
	/** Of the encoder: [count, width] */
	readonly frames: Float32Array;
	readonly count: number;
	readonly secondsPerFrame: number;
	/** Of the audio, without the silence that was appended. */
	readonly seconds: number;
}

const neutral = 5;
/** Longest time of a syllable from its final's token on: the next one may follow after a pause. */
const finalSecondsMax = 0.24;

export async function evidenceOf(
	segment: DecodedSegment,
	transducer: Transducer,
	symbols: PinyinSymbols,
): Promise<SyllableEvidence> {
	const { emitted, frames, count } = segment;
	const forced = new ForcedScore(transducer, frames, count);
	const likelihoods = await likelihoodsOf(emitted, forced, transducer, count);
	const groups = syllablesOf(emitted, symbols);
	const syllables = groups.map((group, i) => ({
		...spelled(group, symbols),
		...timesOf(group, groups[i + 1], segment),
		...alternativesOf(group, likelihoods, symbols),
	}));
	return new Evidence(syllables, groups, forced, symbols, count);
}

class Evidence implements SyllableEvidence {
	readonly #emitted: readonly EmittedSyllable[];
	readonly #forced: ForcedScore;
	readonly #symbols: PinyinSymbols;
	readonly #count: number;
	/** Settles when the earlier scores are computed: they share what was computed. */
	#scored: Promise<unknown> = Promise.resolve();

	constructor(
		readonly syllables: readonly RecognizedSyllable[],
		groups: readonly (readonly Emitted[])[],
		forced: ForcedScore,
		symbols: PinyinSymbols,
		count: number,
	) {
		this.#emitted = groups.map((group) => ({
			tokens: group.map(({ token }) => token),
			frames: group.map(({ frame }) => frame),
		}));
		this.#forced = forced;
		this.#symbols = symbols;
		this.#count = count;
	}

	async score(
		sequences: readonly (readonly WantedSyllable[])[],
	): Promise<readonly (number | undefined)[]> {
		const placed = sequences.map((it) => this.#place(it));
		const known = placed.filter((it) => it !== undefined);
		const scoring = this.#scored.then(() => this.#forced.score(known));
		this.#scored = scoring.catch(() => {});
		const scores = await scoring;
		let next = 0;
		return placed.map((it) => (it ? scores[next++] : undefined));
	}

	#place(sequence: readonly WantedSyllable[]) {
		const wanted = [];
		for (const syllable of sequence) {
			const tokens = this.#symbols.tokensOf(syllable);
			if (!tokens) return undefined;
			wanted.push(tokens);
		}
		return placeTokens(wanted, this.#emitted, this.#count);
	}
}

/** An initial and the final behind it are a syllable; any other symbol stands alone. */
function syllablesOf(
	emitted: readonly Emitted[],
	symbols: PinyinSymbols,
): (readonly Emitted[])[] {
	const groups: (readonly Emitted[])[] = [];
	for (let i = 0; i < emitted.length; i++) {
		const one = emitted[i] as Emitted;
		const next = emitted[i + 1];
		const isPair =
			next &&
			symbols.initialOf(one.token) !== undefined &&
			symbols.finalOf(next.token) !== undefined;
		groups.push(isPair ? [one, next] : [one]);
		if (isPair) i++;
	}
	return groups;
}

function spelled(group: readonly Emitted[], symbols: PinyinSymbols) {
	const first = group[0] as Emitted;
	const last = group.at(-1) as Emitted;
	const final = symbols.finalOf(last.token);
	if (!final) return { base: "", tone: neutral };
	const initial = group.length > 1 ? symbols.initialOf(first.token) : "";
	return { base: `${initial}${final.base}`, tone: final.tone };
}

function timesOf(
	group: readonly Emitted[],
	next: readonly Emitted[] | undefined,
	{ secondsPerFrame, seconds }: DecodedSegment,
) {
	const secondsAt = ({ frame }: Emitted) =>
		Math.min(frame * secondsPerFrame, seconds);
	const latest = secondsAt(group.at(-1) as Emitted) + finalSecondsMax;
	const nextSeconds = next?.[0] ? secondsAt(next[0]) : seconds;
	return {
		startSeconds: secondsAt(group[0] as Emitted),
		endSeconds: Math.min(latest, nextSeconds),
	};
}

function alternativesOf(
	group: readonly Emitted[],
	likelihoods: ReadonlyMap<Emitted, Float32Array>,
	symbols: PinyinSymbols,
) {
	const begin = likelihoods.get(group[0] as Emitted) as Float32Array;
	const end = likelihoods.get(group.at(-1) as Emitted) as Float32Array;
	const initials = new Map<string, number>();
	for (const [initial, token] of symbols.initials)
		initials.set(initial, begin[token] as number);
	const finals = new Map<string, number>();
	const tonedFinals = new Map<string, number>();
	let withoutInitial = Number.NEGATIVE_INFINITY;
	for (const [base, tokens] of symbols.finals) {
		finals.set(base, logSumAt(end, tokens));
		withoutInitial = logAdd(withoutInitial, logSumAt(begin, tokens));
		for (const token of tokens)
			tonedFinals.set(
				`${base}${symbols.finalOf(token)?.tone}`,
				end[token] as number,
			);
	}
	initials.set("", withoutInitial);
	return {
		logp: logpOf(group, initials, finals, symbols),
		initials,
		finals,
		tonedFinals,
	};
}

function logpOf(
	group: readonly Emitted[],
	initials: ReadonlyMap<string, number>,
	finals: ReadonlyMap<string, number>,
	symbols: PinyinSymbols,
): number {
	const final = symbols.finalOf((group.at(-1) as Emitted).token);
	if (!final) return 0;
	const initial = symbols.initialOf((group[0] as Emitted).token);
	const logp = finals.get(final.base) ?? 0;
	return initial === undefined ? logp : logp + (initials.get(initial) ?? 0);
}

function logSumAt(scores: Float32Array, tokens: readonly number[]): number {
	return tokens.reduce(
		(sum, token) => logAdd(sum, scores[token] as number),
		Number.NEGATIVE_INFINITY,
	);
}

/** Log-probability of each token in an emission's place: the maximum over its frame and its neighbours. */
async function likelihoodsOf(
	emitted: readonly Emitted[],
	forced: ForcedScore,
	{ contextSize, vocabulary }: Transducer,
	count: number,
): Promise<ReadonlyMap<Emitted, Float32Array>> {
	const places: Place[] = [];
	const owners: Emitted[] = [];
	emitted.forEach((one, i) => {
		const last = emitted.slice(Math.max(0, i - contextSize), i);
		const before = last.map(({ token }) => token);
		const end = Math.min(count - 1, one.frame + 1);
		for (let frame = Math.max(0, one.frame - 1); frame <= end; frame++) {
			places.push({ frame, before });
			owners.push(one);
		}
	});
	const rows = await forced.rowsOf(places);
	const found = new Map<Emitted, Float32Array>();
	rows.forEach((row, i) => {
		const owner = owners[i] as Emitted;
		const most =
			found.get(owner) ??
			new Float32Array(vocabulary).fill(Number.NEGATIVE_INFINITY);
		for (let token = 0; token < row.length; token++)
			most[token] = Math.max(most[token] as number, row[token] as number);
		found.set(owner, most);
	});
	return found;
}
