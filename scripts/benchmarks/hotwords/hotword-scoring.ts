/**
 * Errors on hotwords and errors on all other words, apart: a hotword is missed where the transcript does not hold it as often as the reference does; the
 * other errors are those of the units outside all hotwords, and whatever was put in. Spelling is evened out as for every error rate (scoring.ts).
 */
import { syllablesWithTones } from "../../../runtime/text/zh/pinyin.js";
import { scoringUnits } from "../scoring.js";

export interface HotwordCount {
	/** Times that hotwords are said. */
	readonly spoken: number;
	readonly missed: number;
	/** Units outside hotwords, */
	readonly others: number;
	/** and errors there. */
	readonly otherErrors: number;
}

export function countHotwords(
	reference: string,
	transcript: string,
	unitsOf: (text: string) => readonly string[],
	hotwords: readonly string[],
): HotwordCount {
	const wanted = unitsOf(reference);
	const got = unitsOf(transcript);
	const inHotword = new Set<number>();
	let spoken = 0;
	let missed = 0;
	for (const hotword of hotwords) {
		const units = unitsOf(hotword);
		const places = placesOf(units, wanted);
		for (const place of places)
			for (let i = 0; i < units.length; i++) inHotword.add(place + i);
		spoken += places.length;
		missed += Math.max(0, places.length - placesOf(units, got).length);
	}
	const { wrong, inserted } = alignment(wanted, got);
	const outside = wanted.map((_, i) => i).filter((i) => !inHotword.has(i));
	return {
		spoken,
		missed,
		others: outside.length,
		otherErrors: inserted + outside.filter((i) => wrong.has(i)).length,
	};
}

/** Percent missed / errors elsewhere, without -> with. */
export function change(
	without: readonly HotwordCount[],
	after: readonly HotwordCount[],
): string {
	const both = (all: readonly HotwordCount[]) =>
		`${missedPercent(all).toFixed(1)} / ${otherPercent(all).toFixed(2)}`;
	return `${both(without)} -> ${both(after)}`;
}

export function missedPercent(all: readonly HotwordCount[]): number {
	return (100 * total(all, "missed")) / total(all, "spoken");
}

export function otherPercent(all: readonly HotwordCount[]): number {
	return (100 * total(all, "otherErrors")) / total(all, "others");
}

export function total(
	all: readonly HotwordCount[],
	what: keyof HotwordCount,
): number {
	return all.reduce((sum, one) => sum + one[what], 0);
}

/** What is compared for a model that writes Chinese as pinyin: syllables with their tones. A text that has characters is read out. */
export function spokenSyllables(text: string): string[] {
	const spelled = /\p{Script=Han}/u.test(text)
		? syllablesWithTones(scoringUnits(text, "zh").join(""))
		: text.normalize("NFC").toLowerCase();
	return spelled.split(/[^\p{L}\p{N}\p{M}]+/u).filter((it) => it !== "");
}

function placesOf(units: readonly string[], text: readonly string[]): number[] {
	if (units.length === 0) return [];
	const places: number[] = [];
	for (let at = 0; at + units.length <= text.length; ) {
		const found = units.every((unit, i) => text[at + i] === unit);
		if (found) places.push(at);
		at += found ? units.length : 1;
	}
	return places;
}

/** Units of the reference that are wrong or missing in the likeliest alignment, and how many were put in. */
function alignment(wanted: readonly string[], got: readonly string[]) {
	const width = got.length + 1;
	const cost = new Uint32Array((wanted.length + 1) * width);
	const at = (i: number, j: number) => cost[i * width + j] as number;
	for (let i = wanted.length; i >= 0; i--)
		for (let j = got.length; j >= 0; j--)
			cost[i * width + j] =
				i === wanted.length
					? got.length - j
					: j === got.length
						? wanted.length - i
						: Math.min(
								at(i + 1, j + 1) + (wanted[i] === got[j] ? 0 : 1),
								at(i + 1, j) + 1,
								at(i, j + 1) + 1,
							);
	const wrong = new Set<number>();
	let inserted = 0;
	for (let i = 0, j = 0; i < wanted.length || j < got.length; ) {
		const both = i < wanted.length && j < got.length;
		const differs = wanted[i] === got[j] ? 0 : 1;
		if (both && at(i, j) === at(i + 1, j + 1) + differs) {
			if (differs === 1) wrong.add(i);
			i++;
			j++;
		} else if (i < wanted.length && at(i, j) === at(i + 1, j) + 1)
			wrong.add(i++);
		else {
			inserted++;
			j++;
		}
	}
	return { wrong, inserted };
}
