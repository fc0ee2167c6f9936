/** Where a text that is searched for stands among the pieces of a segment: it may begin in one and end in another. Pure. */
import type { Piece } from "./word-pieces.js";

interface FoundPiece extends Piece {
	readonly isFound: boolean;
}

/** A word stays whole, to be played; what has no time is cut to what was found. @param search in lower case; empty: nothing is found */
export function foundPieces(
	pieces: readonly Piece[],
	search: string,
): readonly FoundPiece[] {
	const places = placesOf(search, pieces.map(({ text }) => text).join(""));
	let begin = 0;
	return pieces.flatMap((piece) => {
		const from = begin;
		begin += piece.text.length;
		const ends = piece.beginMs === undefined ? places.flat() : [];
		const cuts = [from, ...ends, begin].filter(
			(at, i, all) => at >= from && at <= begin && all.indexOf(at) === i,
		);
		return cuts.slice(1).map((to, i) => {
			const at = cuts[i] ?? from;
			return {
				...piece,
				text: piece.text.slice(at - from, to - from),
				isFound: places.some(([first, end]) => first < to && end > at),
			};
		});
	});
}

/** Begin and end of each, in order. @param search in lower case */
export function placesOf(search: string, text: string): [number, number][] {
	const places: [number, number][] = [];
	if (!search) return places;
	const lower = lowerCaseOf(text);
	let at = lower.indexOf(search);
	while (at >= 0) {
		const end = at + search.length;
		places.push([at, end]);
		at = lower.indexOf(search, end);
	}
	return places;
}

/** As long as the text, so that places in it are those of the text: the lower case of İ is longer. */
function lowerCaseOf(text: string): string {
	const whole = text.toLowerCase();
	if (whole.length === text.length) return whole;
	return Array.from(text, (it) => {
		const lower = it.toLowerCase();
		return lower.length === it.length ? lower : it;
	}).join("");
}
