/**
 * A recognizer's text as it is spoken: what a lattice works with are Chinese characters and words in other scripts, without marks and with numbers in
 * words. `written-text.ts` goes back.
 */

import { simplifyCharacters } from "../../text/zh/simplify.js";
import { speakNumbers } from "../../text/zh/speak-numbers.js";

/** A part of the text that is one or several units: 15 is 十 and 五. */
export interface Piece {
	readonly written: string;
	readonly unitFrom: number;
	readonly unitTo: number;
	/** Marks and spaces before it. */
	readonly gap: string;
}

export interface SpokenText {
	/** Simplified Chinese characters, one each, and other words, in lower case. */
	readonly units: readonly string[];
	readonly pieces: readonly Piece[];
	/** Marks and spaces at the end. */
	readonly end: string;
}

const han = /^\p{Script=Han}$/u;
/** A character, or words in another script with what is between them: "las Cañitas", "wi-fi", "3.5". */
const piecesIn =
	/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+(?:[ '’.,:/&_-](?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}])+)*/gu;

/** Common characters and marks only: what most Chinese texts are. Taking these apart without the expression above halves the time of `spokenText`. */
const common = /^[\u4e00-\u9fff\s,.!?;:、。，！？；：]*$/;

export function isHan(unit: string): boolean {
	const first = unit.charCodeAt(0);
	if (first >= 0x4e00 && first <= 0x9fff) return unit.length === 1;
	return han.test(unit);
}

export function spokenText(text: string): SpokenText {
	const simplified = simplifyCharacters([...text]).join("");
	const units: string[] = [];
	const pieces: Piece[] = [];
	let gap = "";
	const add = (written: string, spoken: readonly string[]) => {
		const unitFrom = units.length;
		units.push(...spoken);
		pieces.push({ written, unitFrom, unitTo: units.length, gap });
		gap = "";
	};
	const addPlain = (plain: string) => {
		if (common.test(plain)) {
			for (const one of plain)
				if (isHan(one)) add(one, [one]);
				else gap += one;
			return;
		}
		let at = 0;
		for (const { 0: found, index } of plain.matchAll(piecesIn)) {
			gap += plain.slice(at, index);
			add(found, [isHan(found) ? found : found.toLowerCase()]);
			at = index + found.length;
		}
		gap += plain.slice(at);
	};
	let at = 0;
	for (const edit of speakNumbers(simplified)) {
		addPlain(simplified.slice(at, edit.from));
		const written = simplified.slice(edit.from, edit.to);
		const spoken = [...edit.text].filter(isHan);
		// a unit without Chinese words for it: 5 GB
		if (spoken.length === [...edit.text].length) add(written, spoken);
		else addPlain(written);
		at = edit.to;
	}
	addPlain(simplified.slice(at));
	return { units, pieces, end: gap };
}
