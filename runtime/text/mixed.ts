/**
 * Two languages in one text (ja-JP-en-US, zh-cmn-Hans-CN-en-US): runs of Latin words follow the English rules, everything else those of Chinese or
 * Japanese. Digits and marks belong to a run only between its words ("in 2026 we"): next to a Chinese or Japanese character they belong to that language.
 */
import type { Edit, TextRule } from "./edits.js";
import type { LanguageRules, Span } from "./language-rules.js";

const latin = /\p{Script=Latin}/u;
const other = /[\p{L}〇々]/u;

export function mixedRules(
	eastern: LanguageRules,
	english: LanguageRules,
): LanguageRules {
	return {
		writeNumbers: either(eastern.writeNumbers, english.writeNumbers),
		speakNumbers: either(eastern.speakNumbers, english.speakNumbers),
		fillers: (text) =>
			// both get the whole text: a filler is recognized by the marks around it
			merge(eastern.fillers(text), english.fillers(text)),
		openFrom: (text) => openFrom(text, eastern, english),
	};
}

/** English rules apply in runs of Latin words; where both would change the same text, the other language wins (5km next to kanji). */
function either(eastern: TextRule, english: TextRule): TextRule {
	return (text) => {
		const runs = latinRuns(text);
		const outside = notInside(eastern(text), runs);
		return merge(outside, inRuns(text, runs, english));
	};
}

function inRuns(text: string, runs: readonly Span[], rule: TextRule): Edit[] {
	return runs.flatMap((run) =>
		rule(text.slice(run.from, run.to)).map((it) => ({
			...it,
			from: it.from + run.from,
			to: it.to + run.from,
		})),
	);
}

/** Edits that are not inside a run; both lists are in order. */
function notInside(edits: readonly Edit[], runs: readonly Span[]): Edit[] {
	let next = 0;
	return edits.filter((it) => {
		while (next < runs.length && (runs[next] as Span).to <= it.from) next++;
		const run = runs[next];
		return run === undefined || it.from < run.from || it.to > run.to;
	});
}

/** In order; of two that overlap the one from the first list is kept. */
function merge<T extends Span>(first: readonly T[], second: readonly T[]): T[] {
	const merged: T[] = [];
	let i = 0;
	for (const it of second) {
		while (i < first.length && (first[i] as T).to <= it.from)
			merged.push(first[i++] as T);
		const next = first[i];
		if (next === undefined || it.to <= next.from) merged.push(it);
	}
	return [...merged, ...first.slice(i)];
}

/** From the first letter of a run of Latin words to its last, including the marks that follow up to the next character of the other script. */
function latinRuns(text: string): Span[] {
	const runs: Span[] = [];
	let from = -1;
	let to = 0; // after the last letter
	let at = 0;
	let sawOther = false;
	for (const character of text) {
		const end = at + character.length;
		if (latin.test(character)) {
			if (from === -1) from = sawOther ? at : 0;
			to = end;
		} else if (other.test(character)) {
			// the period of "p.m." belongs to the run
			if (from !== -1) runs.push({ from, to: text[to] === "." ? to + 1 : to });
			from = -1;
			sawOther = true;
		}
		at = end;
	}
	if (from !== -1) runs.push({ from, to: text.length });
	return runs;
}

function openFrom(
	text: string,
	eastern: LanguageRules,
	english: LanguageRules,
): number {
	const last = latinRuns(text).at(-1);
	const open = eastern.openFrom?.(text) ?? text.length;
	if (last?.to !== text.length) return open;
	const inside = english.openFrom?.(text.slice(last.from)) ?? text.length;
	return Math.min(open, last.from + inside);
}
