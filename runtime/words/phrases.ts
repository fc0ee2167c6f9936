/**
 * Phrases that may be what a text is about: runs of English words that no function word or mark parts, and in Japanese runs of nouns as well.
 */
import type { JapaneseWord } from "../text/ja/reading.js";
import { functionWords } from "./english-function-words.js";

/** A candidate, as the words that it is made of. */
export interface Phrase {
	readonly text: string;
	readonly parts: readonly string[];
}

const englishWord =
	/[\p{Script=Latin}\p{N}]+(?:['’.&+#/-]+[\p{Script=Latin}\p{N}]+)*[+#]*/gu;
/** A longer run of English is a sentence without function words. */
const partsMax = 3;

export function englishPhrases(text: string): Phrase[] {
	const phrases: Phrase[] = [];
	let run: { word: string; from: number; to: number }[] = [];
	const close = () => {
		const [first] = run;
		const last = run.at(-1);
		if (first && last && run.length <= partsMax)
			phrases.push({
				text: text.slice(first.from, last.to),
				parts: run.map((it) => it.word.toLowerCase()),
			});
		else
			for (const { word } of run)
				phrases.push({ text: word, parts: [word.toLowerCase()] });
		run = [];
	};
	for (const { 0: word, index } of text.matchAll(englishWord)) {
		const last = run.at(-1);
		if (last && text.slice(last.to, index) !== " ") close();
		if (isTerm(word)) run.push({ word, from: index, to: index + word.length });
		else close();
	}
	close();
	return phrases;
}

function isTerm(word: string): boolean {
	return (
		word.length > 1 &&
		/\p{Script=Latin}/u.test(word) &&
		!functionWords.has(word.toLowerCase().replaceAll("’", "'"))
	);
}

/** Nouns that say nothing by themselves: pronouns, the こと of 話すこと, numbers, 今日. */
const emptyNouns: ReadonlySet<string> = new Set([
	"代名詞",
	"非自立",
	"数",
	"副詞可能",
	"特殊",
	"接続詞的",
	"動詞非自立的",
	"引用文字列",
]);
/** They say nothing, either, though the dictionary calls them plain nouns. */
const emptyWords =
	/^(?:お願い|感じ|自分|皆さん|みんな|本当|大丈夫|必要|場合|部分|方法|問題|今回|次回|前回|最初|最後|全部|一番|一緒|普通|以上|以下|皆様|人間|何か|話|人|方|目|手|声|点|形|気|間|中|上|下|前|後|時|年|月|日|分|秒|回|個|的|性|化|者|等|さん|くん|ちゃん|様|たち|ら)$/u;

/** @param words of one line. */
export function japanesePhrases(words: readonly JapaneseWord[]): Phrase[] {
	const phrases: Phrase[] = [];
	let run: string[] = [];
	const close = () => {
		const text = run.join("");
		if (run.length > 0 && isPhrase(text)) phrases.push({ text, parts: run });
		run = [];
	};
	for (const word of words) {
		if (isNoun(word) && (run.length > 0 || word.subcategory !== "接尾"))
			run.push(word.surface);
		else if (
			word.partOfSpeech === "接頭詞" &&
			/\p{Script=Han}/u.test(word.surface)
		) {
			close();
			run.push(word.surface); // 再|利用
		} else close();
	}
	close();
	return phrases;
}

function isNoun({ partOfSpeech, subcategory, surface }: JapaneseWord): boolean {
	if (partOfSpeech === undefined)
		return /^[\p{Script=Katakana}ー]{2,}$/u.test(surface); // not in the dictionary
	return (
		partOfSpeech === "名詞" &&
		!emptyNouns.has(subcategory ?? "") &&
		/[\p{L}]/u.test(surface)
	);
}

function isPhrase(text: string): boolean {
	if ([...text].length < 2 || emptyWords.test(text)) return false;
	return /[\p{Script=Han}\p{Script=Katakana}]/u.test(text);
}
