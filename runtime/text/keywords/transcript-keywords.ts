/**
 * What a transcript is about (`keywords_quantity`), best first: in Chinese by jieba's TF-IDF, in Japanese noun phrases by FLR, English phrases by FLR; in
 * mixed speech both lists as one. Whatever is told stands in the text as it is written: what lies only within longer keywords is left out.
 */

import type { JapaneseReader } from "../ja/reading.js";
import { isJapanese, isSpaced, type Language } from "../languages.js";
import { fold, KeywordMatcher } from "./keyword-matcher.js";
import { englishPhrases, japanesePhrases, type Phrase } from "./phrases.js";
import { type RankedPhrase, rankPhrases } from "./rank-phrases.js";

/** Loaded for the language that asks for them. */
export interface KeywordTools {
	/** @returns Chinese terms with their TF-IDF weight, best first. */
	chinese?(text: string, countMax: number): readonly WeightedTerm[];
	readonly japanese?: JapaneseReader;
}

export interface WeightedTerm {
	readonly text: string;
	readonly weight: number;
}

/** Candidates for each keyword that is wanted: some are left out. */
const candidatesPerKeyword = 3;

/** @param text a line for each utterance. */
export function transcriptKeywords(
	text: string,
	language: Language,
	countMax: number,
	tools: KeywordTools,
): string[] {
	const lines = text.split("\n");
	const candidates = rankedTerms(text, lines, language, countMax, tools)
		.slice(0, countMax * candidatesPerKeyword)
		.map((it) => it.text);
	return present(distinct(candidates), lines, countMax);
}

function rankedTerms(
	text: string,
	lines: readonly string[],
	language: Language,
	countMax: number,
	{ chinese, japanese }: KeywordTools,
): readonly WeightedTerm[] {
	const english = () => rankPhrases(lines.flatMap(englishPhrases));
	if (isSpaced(language)) return english().map((it) => weighted(it, 1));
	if (isJapanese(language)) {
		const phrases = lines.flatMap((line): Phrase[] => [
			...japanesePhrases(japanese?.words(line) ?? []),
			...englishPhrases(line),
		]);
		return rankPhrases(phrases).map((it) => weighted(it, 1));
	}
	const terms = chinese?.(text, countMax * candidatesPerKeyword) ?? [];
	const hanzi = terms.filter((it) => /\p{Script=Han}/u.test(it.text));
	// a Latin word counts as much as a Chinese one that stands there as often
	const unit = usualWeight(hanzi, text);
	return [...hanzi, ...english().map((it) => weighted(it, unit))].sort(
		(a, b) => b.weight - a.weight,
	);
}

function weighted(
	{ text, frequency, importance }: RankedPhrase,
	unit: number,
): WeightedTerm {
	return { text, weight: frequency * importance * unit };
}

/** Of one occurrence: the median. */
function usualWeight(terms: readonly WeightedTerm[], text: string): number {
	const units = terms
		.map((it) => it.weight / Math.max(1, text.split(it.text).length - 1))
		.sort((a, b) => a - b);
	return units[units.length >> 1] ?? 1;
}

function distinct(terms: readonly string[]): string[] {
	const seen = new Set<string>();
	return terms.filter((it) => {
		const key = fold(it);
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
}

/** The first of them, of which each is found where the longer ones are not. */
function present(
	candidates: readonly string[],
	lines: readonly string[],
	countMax: number,
): string[] {
	let chosen = candidates.slice(0, countMax);
	const spare = candidates.slice(countMax);
	for (;;) {
		const matcher = new KeywordMatcher(chosen);
		const found = new Set<number>();
		for (const line of lines)
			for (const { index } of matcher.find(line)) found.add(index);
		if (found.size === chosen.length) return chosen;
		chosen = chosen.filter((_, i) => found.has(i));
		const next = spare.splice(0, countMax - chosen.length);
		chosen.push(...next);
	}
}
