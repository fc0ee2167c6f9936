/** A segment's text in pieces, each with the time at which it was said where that is known: after a correction, the words that stayed. Pure. */
import type { ResultWord } from "../../../tasks/result/result.js";

export interface Piece {
	readonly text: string;
	/** Undefined: nobody knows when, as for spaces and corrected words. */
	readonly beginMs?: number;
	readonly endMs?: number;
}

type Word = Pick<ResultWord, "word" | "start_time" | "end_time" | "is_punc">;

interface TimedText {
	readonly transcript: string;
	readonly words?: readonly Word[];
}

/** How far ahead a word of the recording is looked for in a corrected text. */
const ahead = 40;

export function piecesOf({
	transcript,
	words = [],
}: TimedText): readonly Piece[] {
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

/**
 * What a correction replaced: the differing middle of two texts, in whole words. Where words have no spaces between them the browser's dictionary says where they
 * end, and a single Chinese character takes its neighbour along: alone it would be corrected in every other word, too.
 */
export function replaced(
	recognized: string,
	corrected: string,
): { readonly wrong: string; readonly right: string } {
	if (recognized === corrected) return { wrong: "", right: "" };
	const longest = Math.min(recognized.length, corrected.length);
	let head = 0;
	while (head < longest && recognized[head] === corrected[head]) head++;
	let tail = 0;
	while (
		tail < longest - head &&
		recognized.at(-1 - tail) === corrected.at(-1 - tail)
	)
		tail++;
	const texts = [recognized, corrected].map((text) => ({
		text,
		ends: wordEnds(text),
	}));
	const isInWord = (place: (length: number) => number) =>
		texts.some(({ text, ends }) => {
			const at = place(text.length);
			const around = text.slice(at - 1, at + 1);
			return isSpaced(around) || (isUnspaced(around) && !ends.has(at));
		});
	while (head > 0 && isInWord(() => head)) head--;
	while (tail > 0 && isInWord((length) => length - tail)) tail--;
	const end = recognized.length - tail;
	if (isUnspaced(recognized.slice(head, end), 1)) {
		if (isUnspaced(recognized.slice(end, end + 1), 1)) tail--;
		else if (isUnspaced(recognized.slice(head - 1, head), 1)) head--;
	}
	const cut = (text: string) =>
		text
			.slice(head, text.length - tail)
			.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");
	return { wrong: cut(recognized), right: cut(corrected) };
}

/** Two letters of a script that separates words by spaces. */
function isSpaced(text: string): boolean {
	return /^[\p{Script=Latin}\p{N}'’-]{2}$/u.test(text);
}

/** So many characters of a script that does not. */
function isUnspaced(text: string, count = 2): boolean {
	return (
		text.length === count &&
		/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u.test(text)
	);
}

/** Places at which a word ends. */
function wordEnds(text: string): ReadonlySet<number> {
	const words = new Intl.Segmenter(undefined, { granularity: "word" });
	return new Set(
		[...words.segment(text)].map(
			({ index, segment }) => index + segment.length,
		),
	);
}
