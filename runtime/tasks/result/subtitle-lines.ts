/**
 * Cuts a sentence into lines of subtitles (docs/decisions.md section 8): at most 42 columns (21 full-width characters) and 7 s each. The cheapest of all ways
 * to cut it is chosen (dynamic programming, like Knuth and Plass for paragraphs): good places to break, lines of similar length without a widow, few lines.
 *
 * INVARIANTS
 * - The joined lines are the sentence except for spaces at the cuts; no word is in two lines, unless it is wider than a line.
 * - No line is wider than `columnsMax`; none lasts longer than `lineMsMax` (the end of a single longer word is moved forward).
 */
import type { Language } from "../../text/languages.js";
import { textColumns } from "../../text/text-width.js";
import { breakCost, placeBefore } from "./line-breaks.js";
import { partOf, type Sentence, type SentenceWord } from "./sentence.js";
import { type Style, writtenCharacters } from "./written.js";

const columnsMax = 42;
const lineMsMax = 7000;

/** Cost of each line: few lines are better than many. */
const lineCost = 4;
/** Cost of a line that is empty, where all are full. */
const unevenCost = 12;
/** A shorter line is a widow. */
const widowColumns = 9;
const widowCost = 4;
/** A silence inside a line that readers would take for its end, and the cost of each second of it. */
const silenceMsMax = 1200;
const silenceCost = 6;

/** Words that stay together: one word and the marks attached to it. */
interface Block {
	first: number;
	/** One past its last word. */
	end: number;
	/** Offsets in the sentence; a block extends to the beginning of the next. */
	from: number;
	to: number;
	startMs: number;
	endMs: number;
}

export function linesOf(sentence: Sentence, style: Style): Sentence[] {
	const words = sentence.words.flatMap((word) => narrow(word, sentence.text));
	const whole = { ...sentence, words };
	const ruler = new Ruler(sentence.text, style);
	const blocks = blocksOf(whole, ruler);
	const cuts = cheapestCuts(whole, blocks, ruler, style.language);
	return cuts.map(({ first, end }, i) => {
		const head = blocks[first] as Block;
		const tail = blocks[end - 1] as Block;
		const inside = words.slice(head.first, tail.end);
		return {
			...sentence,
			...partOf(whole, inside.map(within(head.startMs)), head.from, tail.to),
			begins: i === 0 && sentence.begins,
		};
	});
}

/** Widths of the written text, by offsets in the sentence. Consecutive spaces count as one, and spaces at the ends are not counted. */
class Ruler {
	readonly #written: readonly string[];
	/** Character at an offset. */
	readonly #indexAt: Int32Array;
	/** Columns before each character. */
	readonly #columnsBefore: Int32Array;

	constructor(text: string, style: Style) {
		this.#written = writtenCharacters(text, style);
		this.#indexAt = new Int32Array(text.length + 1);
		this.#columnsBefore = new Int32Array(this.#written.length + 1);
		let at = 0;
		let index = 0;
		let columns = 0;
		let behindSpace = true;
		for (const character of text) {
			this.#indexAt.fill(index, at, at + character.length);
			at += character.length;
			const written = this.#written[index] ?? "";
			const isSpace = isBlank(written);
			if (!(isSpace && (behindSpace || written === "")))
				columns += textColumns(written);
			if (written !== "") behindSpace = isSpace;
			this.#columnsBefore[++index] = columns;
		}
		this.#indexAt[at] = index;
	}

	columns(from: number, to: number): number {
		let first = this.#indexAt[from] as number;
		let end = this.#indexAt[to] as number;
		while (first < end && isBlank(this.#written[first])) first++;
		while (end > first && isBlank(this.#written[end - 1])) end--;
		const before = this.#columnsBefore;
		return (before[end] as number) - (before[first] as number);
	}
}

function isBlank(written: string | undefined): boolean {
	return written === undefined || /^\s*$/u.test(written);
}

/** Splits a word that is too wide for a line into pieces with their share of its time. */
function narrow(word: SentenceWord, text: string): SentenceWord[] {
	const writing = text.slice(word.from, word.to);
	if (textColumns(writing) <= columnsMax) return [word];
	const pieces: string[] = [];
	for (const character of writing) {
		const piece = (pieces.at(-1) ?? "") + character;
		if (pieces.length > 0 && textColumns(piece) <= columnsMax)
			pieces[pieces.length - 1] = piece;
		else pieces.push(character);
	}
	let at = 0;
	const msAt = (offset: number) =>
		Math.round(
			word.startMs + ((word.endMs - word.startMs) * offset) / writing.length,
		);
	return pieces.map((piece) => {
		const from = at;
		at += piece.length;
		return {
			...word,
			from: word.from + from,
			to: word.from + at,
			startMs: msAt(from),
			endMs: msAt(at),
		};
	});
}

function blocksOf({ text, words }: Sentence, ruler: Ruler): Block[] {
	const blocks: Block[] = [];
	words.forEach((word, i) => {
		const from = i === 0 ? 0 : word.from;
		const to = words[i + 1]?.from ?? text.length;
		const last = blocks.at(-1);
		const before = words[i - 1];
		if (
			last &&
			before &&
			leansOn(text, before, word) &&
			ruler.columns(last.from, to) <= columnsMax
		) {
			last.end = i + 1;
			last.to = to;
			last.endMs = word.endMs;
			return;
		}
		const { startMs, endMs } = word;
		blocks.push({ first: i, end: i + 1, from, to, startMs, endMs });
	});
	return blocks;
}

/** A closing mark belongs to the word before it, a word to an opening mark. */
function leansOn(
	text: string,
	before: SentenceWord,
	word: SentenceWord,
): boolean {
	const opens = (it: SentenceWord) =>
		/^[\p{Ps}\p{Pi}"]+$/u.test(text.slice(it.from, it.to));
	if (before.kind === "punc" && opens(before) && before.to === word.from)
		return true;
	return word.kind === "punc" && (!opens(word) || before.to === word.from);
}

interface Cut {
	/** Numbers of blocks. */
	readonly first: number;
	readonly end: number;
}

function cheapestCuts(
	sentence: Sentence,
	blocks: readonly Block[],
	ruler: Ruler,
	language: Language,
): Cut[] {
	const columns = ruler.columns(0, sentence.text.length);
	const lines = Math.max(1, Math.ceil(columns / columnsMax));
	const fair = columns / lines;
	const costs = [0];
	const firsts = [0];
	for (let end = 1; end <= blocks.length; end++) {
		const next = blocks[end];
		const place = next
			? breakCost(placeBefore(sentence, next.first), language)
			: 0;
		let best = Number.POSITIVE_INFINITY;
		let bestFirst = end - 1;
		for (let first = end - 1; first >= 0; first--) {
			const width = ruler.columns(
				(blocks[first] as Block).from,
				(blocks[end - 1] as Block).to,
			);
			const fits =
				width <= columnsMax && durationMs(blocks, first, end) <= lineMsMax;
			if (!fits && first < end - 1) break;
			const isOnly = first === 0 && end === blocks.length;
			const cost =
				(costs[first] as number) +
				place +
				(isOnly ? 0 : costOf(width, fair)) +
				silenceWithin(blocks, first, end);
			if (cost < best) {
				best = cost;
				bestFirst = first;
			}
		}
		costs.push(best);
		firsts.push(bestFirst);
	}
	const cuts: Cut[] = [];
	for (let end = blocks.length; end > 0; ) {
		const first = firsts[end] as number;
		cuts.unshift({ first, end });
		end = first;
	}
	return cuts;
}

function costOf(width: number, fair: number): number {
	const uneven = (width - fair) / columnsMax;
	const widow = width < widowColumns ? widowCost : 0;
	return lineCost + uneven * uneven * unevenCost + widow;
}

function durationMs(
	blocks: readonly Block[],
	first: number,
	end: number,
): number {
	return (blocks[end - 1] as Block).endMs - (blocks[first] as Block).startMs;
}

function silenceWithin(
	blocks: readonly Block[],
	first: number,
	end: number,
): number {
	let cost = 0;
	for (let i = first + 1; i < end; i++) {
		const silenceMs =
			(blocks[i] as Block).startMs - (blocks[i - 1] as Block).endMs;
		if (silenceMs > silenceMsMax)
			cost += 2 * lineCost + (silenceCost * silenceMs) / 1000;
	}
	return cost;
}

/** Limits the times of words to the length of a line that begins at `lineStartMs`. */
function within(lineStartMs: number): (word: SentenceWord) => SentenceWord {
	const latestMs = lineStartMs + lineMsMax;
	return (word) => ({
		...word,
		startMs: Math.min(word.startMs, latestMs),
		endMs: Math.min(word.endMs, latestMs),
	});
}
