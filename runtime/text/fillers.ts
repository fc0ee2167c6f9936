/**
 * Handles the fillers found by a language's rules: they become words of kind `modal`, or are removed. When one is removed, the marks and spaces around it are
 * removed too, and a sentence that began with a capital still does.
 */
import type { Draft, Edit, PlacedWord } from "./edits.js";
import type { Span } from "./language-rules.js";

const space = /\s/u;
/** Marks that only divide a sentence; an ellipsis next to a filler is a hesitation. */
const softMark = /[,，、､…;；—–-]/u;
const endMark = /[.。｡?？!！\n]/u;
/** After these a filler's marks are only a pause for breath: no comma belongs there. */
const leansRight =
	/(?:^|[\s,，])(?:I|you|he|she|it|we|they|the|an?|to|of|in|on|at|for|with|from|is|are|was|were|and|but|or|that|this|my|your|our|their|have|has|had|can|could|will|would|not)$|[我你您他她它们的是在把和跟就也要想去这那]$/iu;

/** @param fillers in order, not overlapping. @returns edits that remove them. */
export function dropFillers(text: string, fillers: readonly Span[]): Edit[] {
	const edits: Edit[] = [];
	for (const run of runsOf(text, fillers)) {
		const left = edits.at(-1)?.to ?? 0;
		edits.push(...dropRun(text, run, left));
	}
	return edits;
}

/** Groups fillers with only soft marks and spaces between them. */
function runsOf(text: string, fillers: readonly Span[]): Span[] {
	const runs: Span[] = [];
	for (const { from, to } of fillers) {
		const last = runs.at(-1);
		if (last && skip(text, last.to, from, isSoft) === from)
			runs[runs.length - 1] = { from: last.from, to };
		else runs.push({ from, to });
	}
	return runs;
}

/** @param left text before this must not be changed. */
function dropRun(text: string, run: Span, left: number): Edit[] {
	const before = skipBack(text, run.from, left, isSpace);
	const startsSentence =
		before === 0 || endMark.test(text[before - 1] as string);
	const behindMarks = skip(text, run.to, text.length, isSoft);
	const endsSentence =
		behindMarks === text.length || endMark.test(text[behindMarks] as string);
	if (startsSentence && endsSentence) {
		// the sentence consists of fillers only
		const to = skip(text, behindMarks, text.length, isEndOrSpace);
		const atEnd = to === text.length;
		return [{ from: atEnd ? before : run.from, to, text: "" }];
	}
	if (startsSentence) {
		const cut = { from: run.from, to: behindMarks, text: "" };
		return [cut, ...capital(text, run.from, behindMarks)];
	}
	const softBefore = skipBack(text, run.from, left, isSoft);
	if (endsSentence) return [{ from: softBefore, to: behindMarks, text: "" }];
	return [dropInside(text, run, before, softBefore)];
}

/** Keeps one of the two marks around a filler, unless no mark belongs there. */
function dropInside(
	text: string,
	{ from, to }: Span,
	before: number,
	softBefore: number,
): Edit {
	const behindMarks = skip(text, to, text.length, isSoft);
	const marksBehind = /[^\s]/u.test(text.slice(to, behindMarks));
	const marksBefore = softBefore < before;
	const spaced = space.test(
		text.slice(before, from) + text.slice(to, behindMarks),
	);
	if (
		marksBehind &&
		leansRight.test(text.slice(Math.max(0, softBefore - 12), softBefore))
	)
		return { from: softBefore, to: behindMarks, text: spaced ? " " : "" };
	if (marksBefore)
		return { from: before, to: behindMarks, text: spaced ? " " : "" };
	if (marksBehind) return { from: before, to, text: "" };
	const apart = before < from && to < behindMarks;
	return {
		from: before,
		to: behindMarks,
		text: apart ? " " : text.slice(before, from),
	};
}

/** Capitalizes the letter that now begins the sentence, if the filler had a capital. */
function capital(text: string, filler: number, at: number): Edit[] {
	const first = text[filler] ?? "";
	const next = text[at] ?? "";
	if (!/\p{Lu}/u.test(first) || !/\p{Ll}/u.test(next)) return [];
	const upper = next.toUpperCase();
	return upper.length === 1 ? [{ from: at, to: at + 1, text: upper }] : [];
}

/** Cuts words at the fillers' borders; each filler becomes one word of kind `modal`. */
export function markFillers(draft: Draft, fillers: readonly Span[]): Draft {
	if (fillers.length === 0 || draft.words.length === 0) return draft;
	const words: PlacedWord[] = [];
	let next = 0;
	for (const word of draft.words) {
		let rest: PlacedWord | undefined = word;
		while (next < fillers.length && (fillers[next] as Span).to <= word.from)
			next++;
		for (let i = next; rest && i < fillers.length; i++) {
			const filler = fillers[i] as Span;
			if (filler.from >= rest.to) break;
			const [before, from] = cut(rest, filler.from);
			const [inside, after]: Cut = from
				? cut(from, filler.to)
				: [from, undefined];
			if (before) words.push(before);
			if (inside) pushModal(words, inside, filler);
			rest = after;
		}
		if (rest) words.push(rest);
	}
	return { text: draft.text, words };
}

type Cut = [PlacedWord | undefined, PlacedWord | undefined];

/** Cuts a word in two, each part with its share of the time. */
function cut(word: PlacedWord, at: number): Cut {
	if (at <= word.from) return [undefined, word];
	if (at >= word.to) return [word, undefined];
	const share = (at - word.from) / (word.to - word.from);
	const atMs = Math.round(word.startMs + (word.endMs - word.startMs) * share);
	return [
		{ ...word, to: at, endMs: atMs },
		{ ...word, from: at, startMs: atMs },
	];
}

function pushModal(words: PlacedWord[], word: PlacedWord, filler: Span): void {
	const last = words.at(-1);
	if (word.kind === "punc") words.push(word);
	else if (last?.kind === "modal" && last.from >= filler.from)
		words[words.length - 1] = { ...last, to: word.to, endMs: word.endMs };
	else words.push({ ...word, kind: "modal" });
}

function isSpace(character: string): boolean {
	return space.test(character);
}

function isSoft(character: string): boolean {
	return space.test(character) || softMark.test(character);
}

function isEndOrSpace(character: string): boolean {
	return space.test(character) || endMark.test(character);
}

function skip(
	text: string,
	from: number,
	end: number,
	passes: (character: string) => boolean,
): number {
	let at = from;
	while (at < end && passes(text[at] as string)) at++;
	return at;
}

function skipBack(
	text: string,
	from: number,
	start: number,
	passes: (character: string) => boolean,
): number {
	let at = from;
	while (at > start && passes(text[at - 1] as string)) at--;
	return at;
}
