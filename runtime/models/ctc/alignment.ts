/**
 * The likeliest alignment of tokens to the rows of CTC scores (Viterbi). Of each row only the likeliest tokens are known; a token that is none of them is
 * taken to be as likely as the last of them.
 *
 * Pure, and independent of any model.
 */
import type { LikelyTokens, Spike } from "./search.js";

export interface AlignedSpike extends Spike {
	/** What the alignment loses to the best path, from the first row to this token's last one: 0 or less, natural logarithm. */
	readonly total: number;
}

export interface Alignment {
	readonly spikes: readonly AlignedSpike[];
	/** Of all rows. */
	readonly total: number;
}

/**
 * Before, between and behind the tokens there is a place for blanks: blanks have even places, tokens odd ones.
 * @param rows of a whole segment, in order.
 */
export function alignTokens(
	rows: readonly LikelyTokens[],
	tokens: readonly number[],
): Alignment {
	const places = 2 * tokens.length + 1;
	let scores = new Float64Array(places).fill(Number.NEGATIVE_INFINITY);
	scores[0] = 0;
	/** How many places each is ahead of the row before: [rows, places] */
	const steps = new Uint8Array(rows.length * places);
	rows.forEach((row, r) => {
		const next = new Float64Array(places);
		for (let place = 0; place < places; place++) {
			const step = bestStep(scores, place, tokens);
			steps[r * places + place] = step;
			const from = scores[place - step] as number;
			next[place] = from + logpAt(row, place, tokens) - bestOf(row);
		}
		scores = next;
	});
	const [last, blank] = [
		scores.at(-2) ?? Number.NEGATIVE_INFINITY,
		scores.at(-1) as number,
	];
	let place = last > blank ? places - 2 : places - 1;
	const placeOf = new Int32Array(rows.length);
	for (let r = rows.length - 1; r >= 0; r--) {
		placeOf[r] = place;
		place -= steps[r * places + place] as number;
	}
	return {
		spikes: spikesAt(placeOf, rows, tokens),
		total: Math.max(last, blank),
	};
}

/** A token may follow another one without a blank unless it is the same. */
function bestStep(
	scores: Float64Array,
	place: number,
	tokens: readonly number[],
): number {
	const at = (step: number) => scores[place - step] ?? Number.NEGATIVE_INFINITY;
	const token = (place - 1) / 2;
	const isOther = place % 2 === 1 && tokens[token] !== tokens[token - 1];
	let best = at(1) > at(0) ? 1 : 0;
	if (isOther && at(2) > at(best)) best = 2;
	return best;
}

function spikesAt(
	placeOf: Int32Array,
	rows: readonly LikelyTokens[],
	tokens: readonly number[],
): AlignedSpike[] {
	const spikes: AlignedSpike[] = [];
	let total = 0;
	rows.forEach((row, r) => {
		const place = placeOf[r] as number;
		const logp = logpAt(row, place, tokens);
		total += logp - bestOf(row);
		if (place % 2 === 0) return;
		const at = (place - 1) / 2;
		const known = spikes[at];
		const token = tokens[at] as number;
		const isPeak = !known || logp > known.logp;
		spikes[at] = {
			token,
			total,
			firstRow: known?.firstRow ?? row.row,
			row: isPeak ? row.row : known.row,
			logp: isPeak ? logp : known.logp,
		};
	});
	return spikes;
}

function logpAt(
	{ tokens: known, logps, blankLogp }: LikelyTokens,
	place: number,
	tokens: readonly number[],
): number {
	if (place % 2 === 0) return blankLogp;
	const at = known.indexOf(tokens[(place - 1) / 2] as number);
	return logps.at(at) as number; // -1: the last
}

function bestOf({ logps }: LikelyTokens): number {
	return logps[0] as number;
}
