/**
 * Whether a sentence is in a text: the part of the text that comes nearest to it, by edit distance, and how much of the sentence stands there. Letters that
 * lie scattered over other sentences don't count, as they would by their longest common subsequence.
 */
import { type ScoredLanguage, scoringUnits } from "../scoring.js";
import { sharesInOrder } from "./in-order.js";

/** Less of a sentence than this is lost, */
const lostShareMax = 0.3;
/** if this much of it is understood where it stands alone: what is not understood there is not lost but wrong. */
const aloneShareMin = 0.6;

/** @returns 0 to 1: the share of the sentence's characters or words that is right in the best part of the text. */
export function foundShare(
	reference: string,
	text: string,
	language: ScoredLanguage,
): number {
	const wanted = scoringUnits(reference, language);
	if (wanted.length === 0) return 1;
	const distance = nearestDistance(wanted, scoringUnits(text, language));
	return 1 - distance / wanted.length;
}

export interface SpokenSentence {
	readonly reference: string;
	readonly language: ScoredLanguage;
	/** What the same recognizer makes of the sentence alone. */
	readonly alone: string;
}

export function isLost(
	{ reference, language, alone }: SpokenSentence,
	text: string,
): boolean {
	return (
		foundShare(reference, text, language) < lostShareMax &&
		isUnderstoodAlone({ reference, language, alone })
	);
}

/** Sentences in the order in which they were said, some of them more than once, all in one language. @returns whether each is lost. */
export function lostInOrder(
	sentences: readonly SpokenSentence[],
	text: string,
): boolean[] {
	const [{ language } = { language: "en" as const }] = sentences;
	const shares = sharesInOrder(
		sentences.map(({ reference }) => scoringUnits(reference, language)),
		scoringUnits(text, language),
	);
	return sentences.map(
		(one, i) => (shares[i] as number) < lostShareMax && isUnderstoodAlone(one),
	);
}

function isUnderstoodAlone({
	reference,
	language,
	alone,
}: SpokenSentence): boolean {
	return foundShare(reference, alone, language) >= aloneShareMin;
}

/** Sellers: the edit distance of `wanted` to the part of `text` that is nearest; at most its own length. */
function nearestDistance(
	wanted: readonly string[],
	text: readonly string[],
): number {
	let previous = new Int32Array(text.length + 1); // a part begins anywhere
	let current = new Int32Array(text.length + 1);
	wanted.forEach((unit, row) => {
		current[0] = row + 1;
		for (let column = 0; column < text.length; column++) {
			const changed =
				(previous[column] as number) + (unit === text[column] ? 0 : 1);
			const deleted = (previous[column + 1] as number) + 1;
			const inserted = (current[column] as number) + 1;
			current[column + 1] = Math.min(changed, deleted, inserted);
		}
		[previous, current] = [current, previous];
	});
	return previous.reduce((least, distance) => Math.min(least, distance));
}
