/** Estimates when each syllable of a text was spoken: the text's syllables are aligned with the recognized ones, as in an edit distance. */
import type { PlacedToken } from "./forced-score.js";
import type { WantedToken } from "./pinyin-symbols.js";

/** A recognized syllable: its tokens, and the frames in which they were emitted. */
export interface EmittedSyllable {
	readonly tokens: readonly number[];
	readonly frames: readonly number[];
}

/** Cost of a syllable that only one side has; a differing initial or final costs a half each. */
const gapCost = 0.75;
const partCost = 0.5;

/**
 * @param wanted tokens of each syllable of the text. @param count frames.
 * @returns all tokens; a syllable that was not recognized as such may be anywhere between those that were.
 */
export function placeTokens(
	wanted: readonly (readonly WantedToken[])[],
	emitted: readonly EmittedSyllable[],
	count: number,
): PlacedToken[] {
	const partners = align(wanted, emitted).map((partner, i) => {
		const found = emitted[partner ?? -1];
		const own = wanted[i] as readonly WantedToken[];
		return { found, isSame: found !== undefined && distance(own, found) === 0 };
	});
	const placed: PlacedToken[] = [];
	/** Last frame of the recognized syllable before. */
	let before = 0;
	wanted.forEach((tokens, i) => {
		const { found, isSame } = partners[i] as (typeof partners)[number];
		if (found && isSame) {
			tokens.forEach((token, part) => {
				const at = found.frames[part] as number;
				placed.push(placedAt(token, found, at, at));
			});
			before = found.frames.at(-1) as number;
			return;
		}
		const next = partners.slice(i).find((it) => it.isSame)?.found;
		const last = Math.max(before, next?.frames[0] ?? count - 1);
		for (const token of tokens)
			placed.push(placedAt(token, found, before, last));
	});
	return placed;
}

/** A final without a tone has the recognized one as context of the next token. */
function placedAt(
	{ token, tones, anyTone }: WantedToken,
	found: EmittedSyllable | undefined,
	first: number,
	last: number,
): PlacedToken {
	const recognized = found?.tokens.at(-1);
	const isTone =
		anyTone && recognized !== undefined && tones?.includes(recognized);
	return { token: isTone ? recognized : token, tones, anyTone, first, last };
}

/** @returns for each wanted syllable its recognized one. */
function align(
	wanted: readonly (readonly WantedToken[])[],
	emitted: readonly EmittedSyllable[],
): (number | undefined)[] {
	const width = emitted.length + 1;
	const costs = new Float64Array((wanted.length + 1) * width);
	for (let i = 0; i <= wanted.length; i++)
		for (let j = 0; j < width; j++) {
			if (i === 0 || j === 0) {
				costs[i * width + j] = (i + j) * gapCost;
				continue;
			}
			costs[i * width + j] = Math.min(
				pairCost(costs, wanted, emitted, i, j),
				(costs[(i - 1) * width + j] as number) + gapCost,
				(costs[i * width + j - 1] as number) + gapCost,
			);
		}
	const partners: (number | undefined)[] = wanted.map(() => undefined);
	for (let i = wanted.length, j = emitted.length; i > 0 && j > 0; ) {
		const cost = costs[i * width + j] as number;
		if (cost === pairCost(costs, wanted, emitted, i, j)) {
			partners[--i] = --j;
		} else if (cost === (costs[(i - 1) * width + j] as number) + gapCost) i--;
		else j--;
	}
	return partners;
}

function pairCost(
	costs: Float64Array,
	wanted: readonly (readonly WantedToken[])[],
	emitted: readonly EmittedSyllable[],
	i: number,
	j: number,
): number {
	const before = costs[(i - 1) * (emitted.length + 1) + j - 1] as number;
	return (
		before +
		distance(
			wanted[i - 1] as readonly WantedToken[],
			emitted[j - 1] as EmittedSyllable,
		)
	);
}

/** Whatever the tone. */
function distance(
	own: readonly WantedToken[],
	{ tokens }: EmittedSyllable,
): number {
	const end = own.at(-1) as WantedToken;
	const sameEnd = (end.tones ?? [end.token]).includes(tokens.at(-1) as number);
	const sameBegin =
		own.length === tokens.length &&
		(own.length === 1 || own[0]?.token === tokens[0]);
	return (sameBegin ? 0 : partCost) + (sameEnd ? 0 : partCost);
}
