/** A segment's text in pieces, each with the time at which it was said where that is known: after a correction, the words that stayed. Pure. */
export interface Piece {
	readonly text: string;
	/** Undefined: nobody knows when, as for spaces and corrected words. */
	readonly beginMs?: number;
	readonly endMs?: number;
}

interface Word {
	readonly word: string;
	readonly start_time: number;
	readonly end_time: number;
	readonly is_punc: boolean;
}

interface Said {
	readonly transcript: string;
	readonly words?: readonly Word[];
}

/** How far ahead a word of the recording is looked for in a corrected text. */
const ahead = 40;

export function piecesOf({ transcript, words = [] }: Said): readonly Piece[] {
	const pieces: Piece[] = [];
	let from = 0;
	for (const word of words) {
		const at = placeOf(transcript, word, from);
		if (at === undefined) continue;
		if (at > from) pieces.push({ text: transcript.slice(from, at) });
		const end = at + word.word.length;
		const { start_time: beginMs, end_time: endMs } = word;
		pieces.push({ text: transcript.slice(at, end), beginMs, endMs });
		from = end;
	}
	if (from < transcript.length) pieces.push({ text: transcript.slice(from) });
	return pieces;
}

function placeOf(
	text: string,
	{ word, is_punc }: Word,
	from: number,
): number | undefined {
	if (is_punc || word === "") return undefined;
	const at = text.indexOf(word, from);
	return at < 0 || at > from + ahead ? undefined : at;
}

/** What a correction replaced: the differing middle of two texts, in whole words where there are spaces. */
export function replaced(
	heard: string,
	corrected: string,
): { readonly wrong: string; readonly right: string } {
	if (heard === corrected) return { wrong: "", right: "" };
	const longest = Math.min(heard.length, corrected.length);
	let head = 0;
	while (head < longest && heard[head] === corrected[head]) head++;
	let tail = 0;
	while (
		tail < longest - head &&
		heard.at(-1 - tail) === corrected.at(-1 - tail)
	)
		tail++;
	while (head > 0 && isInWord(heard, head)) head--;
	while (tail > 0 && isInWord(heard, heard.length - tail)) tail--;
	const cut = (text: string) =>
		text
			.slice(head, text.length - tail)
			.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");
	return { wrong: cut(heard), right: cut(corrected) };
}

/** Between two letters of a script that separates words by spaces. */
function isInWord(text: string, at: number): boolean {
	return /[\p{Script=Latin}\p{N}'’-]/u.test(text[at - 1] ?? "");
}
