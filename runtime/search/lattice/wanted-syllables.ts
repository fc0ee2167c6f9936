/**
 * The syllables a syllable recognizer is asked to score for a text. A character with several readings takes the one that was heard, if it has it;
 * words in other scripts take what was heard there, so that they count the same in every text.
 */
import type { Lexicon } from "../../text/zh/word-source.js";
import type { SoundAligner } from "./slots.js";
import { soundDistance, soundOf } from "./sounds.js";
import { isHan } from "./spoken-text.js";
import type { RecognizedSyllable, WantedSyllable } from "./syllables.js";

/** 花儿 is one syllable: what is not heard is not missing. */
export const retroflex = "儿";

export function wantedSyllables(
	units: readonly string[],
	recognized: readonly RecognizedSyllable[],
	aligner: SoundAligner,
	lexicon: Lexicon,
): WantedSyllable[] {
	const pairs = aligner.align(
		recognized.map((it) => it.base),
		units,
	);
	const wanted: WantedSyllable[] = [];
	pairs.forEach(({ row, column }, index) => {
		const syllable = recognized[row];
		const unit = units[column];
		if (unit === undefined) {
			// what a word in another script takes more than one syllable for
			if (syllable && isBesideForeign(pairs, index, units))
				addRecognized(wanted, syllable);
			return;
		}
		if (!syllable && unit === retroflex && column > 0) return;
		const reading = isHan(unit)
			? readingOf(unit, syllable, aligner, lexicon)
			: undefined;
		if (reading) wanted.push(reading);
		else if (syllable) addRecognized(wanted, syllable);
	});
	return wanted;
}

function addRecognized(
	wanted: WantedSyllable[],
	recognized: RecognizedSyllable,
): void {
	if (recognized.base !== "")
		wanted.push({ base: recognized.base, tone: recognized.tone });
}

function isBesideForeign(
	pairs: readonly { readonly column: number }[],
	index: number,
	units: readonly string[],
): boolean {
	const before = pairs.slice(0, index).findLast((it) => it.column >= 0);
	const after = pairs.slice(index).find((it) => it.column >= 0);
	return [before, after].some(
		(it) => it !== undefined && !isHan(units[it.column] as string),
	);
}

/** The reading that sounds most like what was heard, and of its tones the most likely one; without either the most common. */
function readingOf(
	character: string,
	recognized: RecognizedSyllable | undefined,
	aligner: SoundAligner,
	lexicon: Lexicon,
): WantedSyllable | undefined {
	const readings = aligner.readings(character).map(({ syllable, tone }) => ({
		base: lexicon.syllables[syllable] as string,
		tone,
	}));
	if (!recognized) return readings[0];
	const sound = soundOf(recognized.base);
	let best: WantedSyllable | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const it of readings) {
		const { final } = soundOf(it.base);
		const tone = recognized.tonedFinals.get(`${final}${it.tone}`) ?? -100;
		// any difference of sound counts more than the tone
		const distance =
			1000 * soundDistance(soundOf(it.base).number, sound.number) - tone;
		if (distance < least) {
			least = distance;
			best = it;
		}
	}
	return best;
}
