/**
 * A text in the pipeline, and the steps that change it. Every step reports its changes as edits of the text, so that the words keep their
 * positions and times when the text is rewritten, a step can be explained, and the text is the same with words and without.
 *
 * INVARIANTS (of `applyEdits`)
 * - The resulting text depends on the text and the edits alone.
 * - Words stay in order and do not overlap; none is empty or begins or ends with a space; every non-space character that was in a word, or
 *   replaced one that was, is in a word.
 * - Times never run backwards and stay between the first and the last of the words they came from.
 */
import { isMark } from "./marks.js";

/** Replaces the text from `from` to `to` (UTF-16 offsets; `to` is exclusive) with `text`. */
export interface Edit {
	readonly from: number;
	readonly to: number;
	readonly text: string;
}

/** @returns edits of the text, in order, not overlapping. */
export type TextRule = (text: string) => readonly Edit[];

/** A word and its position in the text. */
export interface PlacedWord {
	readonly from: number;
	readonly to: number;
	readonly startMs: number;
	readonly endMs: number;
	readonly kind: "normal" | "modal" | "punc";
	/** 0 to 1. */
	readonly confidence: number;
}

export interface Draft {
	readonly text: string;
	/** In order, not overlapping; empty unless words were requested. */
	readonly words: readonly PlacedWord[];
}

/** @param edits in order, not overlapping. */
export function applyEdits(draft: Draft, edits: readonly Edit[]): Draft {
	if (edits.length === 0) return draft;
	const text = editText(draft.text, edits);
	if (draft.words.length === 0) return { text, words: [] };
	return { text, words: editWords(draft.words, edits, text) };
}

export function editText(text: string, edits: readonly Edit[]): string {
	let edited = "";
	let at = 0;
	for (const edit of edits) {
		edited += text.slice(at, edit.from) + edit.text;
		at = edit.to;
	}
	return edited + text.slice(at);
}

/** Neighbouring words that are rewritten together, or a single word: `[wordFrom, wordTo)` and `[editFrom, editTo)` by index. */
interface Group {
	readonly wordFrom: number;
	wordTo: number;
	readonly editFrom: number;
	editTo: number;
}

function editWords(
	words: readonly PlacedWord[],
	edits: readonly Edit[],
	text: string,
): PlacedWord[] {
	const shifts = shiftsBefore(edits);
	const edited: PlacedWord[] = [];
	for (const group of groupsOf(words, edits)) {
		const touched = words.slice(group.wordFrom, group.wordTo);
		const made = edits.slice(group.editFrom, group.editTo);
		const starts = [touched[0]?.from, made[0]?.from].filter(isDefined);
		const ends = [touched.at(-1)?.to, made.at(-1)?.to].filter(isDefined);
		const from = Math.min(...starts) + (shifts[group.editFrom] as number);
		const to = Math.max(...ends) + (shifts[group.editTo] as number);
		const [only] = touched;
		if (only && made.length === 0) edited.push({ ...only, from, to });
		else {
			const properties = only
				? blend(touched)
				: unspoken(
						edited.at(-1) ?? words[group.wordFrom - 1],
						words[group.wordFrom],
					);
			edited.push(...spread(properties, text, from, to));
		}
	}
	return edited;
}

/** How far the text after the first n edits is shifted to the right. */
function shiftsBefore(edits: readonly Edit[]): number[] {
	const shifts = [0];
	for (const { from, to, text } of edits)
		shifts.push((shifts.at(-1) as number) + text.length - (to - from));
	return shifts;
}

/** Puts all words and all edits, in order, into one group each. */
function groupsOf(
	words: readonly PlacedWord[],
	edits: readonly Edit[],
): Group[] {
	const groups: Group[] = [];
	let wordAt = 0; // the first word that is not in a group yet
	edits.forEach((edit, i) => {
		while (wordAt < words.length && endsBefore(words[wordAt], edit))
			groups.push(alone(wordAt++, i));
		const last = groups.at(-1);
		const before = last && last.wordTo > last.wordFrom ? last : undefined;
		const reached = before && words[before.wordTo - 1];
		let group: Group;
		if (before && reached && isTouchedBehind(reached, edit, words[wordAt])) {
			before.editTo = i + 1;
			group = before;
		} else {
			group = { wordFrom: wordAt, wordTo: wordAt, editFrom: i, editTo: i + 1 };
			groups.push(group);
		}
		while (wordAt < words.length && isTouched(words[wordAt], edit))
			group.wordTo = ++wordAt;
	});
	while (wordAt < words.length) groups.push(alone(wordAt++, edits.length));
	return groups;
}

function alone(word: number, edit: number): Group {
	return { wordFrom: word, wordTo: word + 1, editFrom: edit, editTo: edit };
}

/** The word ends before the edit and is not affected, or at most its left neighbour. */
function endsBefore(word: PlacedWord | undefined, edit: Edit): boolean {
	return word !== undefined && word.to <= edit.from;
}

/** The edit changes the word, or inserts something that belongs to it. */
function isTouched(word: PlacedWord | undefined, edit: Edit): boolean {
	if (word === undefined) return false;
	if (edit.from < edit.to) return word.from < edit.to && word.to > edit.from;
	if (word.from < edit.from && edit.from < word.to) return true;
	return word.from === edit.from && belongsToAWord(edit.text);
}

/** The same for a word that an earlier edit has touched, or for an insertion at a word's end where no other word begins. */
function isTouchedBehind(
	word: PlacedWord,
	edit: Edit,
	next: PlacedWord | undefined,
): boolean {
	if (word.to > edit.from) return true;
	const inserted = edit.from === edit.to && word.to === edit.from;
	return inserted && belongsToAWord(edit.text) && !isTouched(next, edit);
}

/** Spaces and marks are between words. */
function belongsToAWord(text: string): boolean {
	return [...text].some((it) => !/\s/u.test(it) && !isMark(it));
}

type WordProperties = Omit<PlacedWord, "from" | "to">;

/** Merges several words: times from the first to the last, confidence weighted by length. */
function blend(words: readonly PlacedWord[]): WordProperties {
	let sum = 0;
	let characters = 0;
	for (const { from, to, confidence } of words) {
		sum += confidence * (to - from);
		characters += to - from;
	}
	const kinds = new Set(words.map((it) => it.kind));
	return {
		startMs: Math.min(...words.map((it) => it.startMs)),
		endMs: Math.max(...words.map((it) => it.endMs)),
		kind: kinds.has("normal")
			? "normal"
			: kinds.has("modal")
				? "modal"
				: "punc",
		confidence: characters === 0 ? 0 : sum / characters,
	};
}

/** Properties of text without a spoken word: between its neighbours. */
function unspoken(
	before: PlacedWord | undefined,
	after: PlacedWord | undefined,
): WordProperties {
	const atMs = before?.endMs ?? after?.startMs ?? 0;
	const confidence = before?.confidence ?? after?.confidence ?? 0;
	return { startMs: atMs, endMs: atMs, kind: "normal", confidence };
}

/** The words in a piece of the edited text, each with its share of the time. */
function spread(
	properties: WordProperties,
	text: string,
	from: number,
	to: number,
): PlacedWord[] {
	const piece = text.slice(from, to);
	const { startMs, endMs } = properties;
	const atMs = (offset: number) =>
		Math.round(startMs + ((endMs - startMs) * offset) / piece.length);
	const found = [...piece.matchAll(/\S+/gu)];
	return found.map(({ 0: word, index }, i) => {
		const isLast = i === found.length - 1;
		return {
			...properties,
			from: from + index,
			to: from + index + word.length,
			startMs: i === 0 ? startMs : atMs(index),
			endMs: isLast ? endMs : atMs(index + word.length),
			kind: [...word].every(isMark)
				? "punc"
				: properties.kind === "punc"
					? "normal"
					: properties.kind,
		};
	});
}

function isDefined(offset: number | undefined): offset is number {
	return offset !== undefined;
}

/** The position of each word in the text; words are in its order. Words that are not in the text are left out. */
export function placesOf<W extends { readonly text: string }>(
	text: string,
	words: readonly W[],
): { readonly word: W; readonly from: number; readonly to: number }[] {
	let at = 0;
	return words.flatMap((word) => {
		const from = text.indexOf(word.text, at);
		if (from < 0 || word.text === "") return [];
		at = from + word.text.length;
		return [{ word, from, to: at }];
	});
}
