/**
 * Keywords of a transcript (`keywords_quantity`), best first: Chinese by jieba's TF-IDF, Japanese noun phrases and English phrases by FLR; in
 * mixed speech both lists merged. Every keyword is in the text as written: one that only occurs inside longer keywords is left out.
 */

import type { JapaneseReader } from "../ja/reading.js";
import { isJapanese, isSpaced, type Language } from "../languages.js";
import { fold, KeywordMatcher } from "./keyword-matcher.js";
import { englishPhrases, japanesePhrases, type Phrase } from "./phrases.js";
import { type RankedPhrase, rankPhrases } from "./rank-phrases.js";

/** Loaded for the language that needs them. */
export interface KeywordTools {
	/** @returns Chinese terms with their TF-IDF weight, best first. */
	chinese?(text: string, countMax: number): readonly WeightedTerm[];
	readonly japanese?: JapaneseReader;
}

export interface WeightedTerm {
	readonly text: string;
	readonly weight: number;
}

/** Candidates per requested keyword: some are left out. */
const candidatesPerKeyword = 3;

/** @param text one line per utterance. */
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
	// a Latin word weighs as much as a Chinese one of the same frequency
	const weightOfOne = typicalWeight(hanzi, text);
	return [...hanzi, ...english().map((it) => weighted(it, weightOfOne))].sort(
		(a, b) => b.weight - a.weight,
	);
}

function weighted(
	{ text, frequency, importance }: RankedPhrase,
	weightOfOne: number,
): WeightedTerm {
	return { text, weight: frequency * importance * weightOfOne };
}

/** The median weight of one occurrence. */
function typicalWeight(terms: readonly WeightedTerm[], text: string): number {
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

/** The first candidates, each of which is found where no longer one is. */
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
