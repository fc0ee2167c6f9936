/**
 * Which words are hotwords, by rule: those of a clip's reference that are rare in the language (wordfreq's frequencies: less than once in 100,000 words),
 * and the names and terms in it, which no list of frequencies has (names.json, read from the references by hand). Whether the recognizer gets
 * them right plays no part. Distractors are the rare words of other clips, at most twenty, and rare words of the language, by a fixed random sequence.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cacheDirectory } from "../cache.js";
import type { Clip } from "../clips.js";
import { type ScoredLanguage, scoringUnits } from "../scoring.js";

/** Once in 100,000 words. */
const zipfMax = 4;
const wordsRead = 120_000;
const distractorsOfClips = 20;

const segmenters: Readonly<Record<ScoredLanguage, Intl.Segmenter>> = {
	zh: new Intl.Segmenter("zh-Hans", { granularity: "word" }),
	ja: new Intl.Segmenter("ja", { granularity: "word" }),
	en: new Intl.Segmenter("en", { granularity: "word" }),
};
/** What a word of a list is made of, so that it is one to speak. */
const speakable: Readonly<Record<ScoredLanguage, RegExp>> = {
	zh: /^\p{Script=Han}{2,8}$/u,
	ja: /^(?=.*[\p{Script=Han}\p{Script=Katakana}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,8}$/u,
	en: /^[a-z]{4,15}$/,
};
const latin = /^[\p{Script=Latin}']+$/u;

type Frequencies = Readonly<
	Record<ScoredLanguage, ReadonlyMap<string, number>>
>;

export class WordLists {
	readonly #clips: readonly Clip[];
	readonly #frequencies = readFrequencies();
	readonly #names: Readonly<Record<string, readonly string[]>> = JSON.parse(
		readFileSync(resolve("scripts/benchmarks/hotwords/names.json"), "utf8"),
	);
	readonly #pools = new Map<ScoredLanguage, readonly string[]>();

	constructor(clips: readonly Clip[]) {
		this.#clips = clips;
	}

	/** Of a clip: its rare words and names. */
	hotwordsOf({ name, reference = "", language }: Clip): string[] {
		const names = this.#names[name] ?? [];
		const text = reference.normalize("NFKC").toLowerCase();
		const rare = [...segmenters[language].segment(text)]
			.filter((it) => it.isWordLike && this.#isRare(it.segment, language))
			.map((it) => it.segment);
		const plain = (word: string) => scoringUnits(word, language).join(" ");
		const words = [...names];
		for (const word of rare)
			if (!words.some((other) => plain(other).includes(plain(word))))
				words.push(word);
		return words;
	}

	/** Words that nobody says in the clip; the same ones first however many are wanted. */
	distractorsOf(clip: Clip, count: number): string[] {
		const random = seeded(clip.name);
		const others = this.#clips
			.filter((it) => it.language === clip.language && it !== clip)
			.flatMap((it) => this.hotwordsOf(it));
		const isSpoken = (word: string) => isSpokenIn(word, clip);
		const found = new Set(
			shuffled(others, random)
				.filter((word) => !isSpoken(word))
				.slice(0, Math.min(count, distractorsOfClips)),
		);
		const pool = this.#poolOf(clip.language);
		while (found.size < count) {
			const word = pool[Math.floor(random() * pool.length)] as string;
			if (!isSpoken(word)) found.add(word);
		}
		return [...found].slice(0, count);
	}

	/** One list for all clips of a language: words that nobody says in any. */
	distractors(language: ScoredLanguage, count: number): string[] {
		const clips = this.#clips.filter((it) => it.language === language);
		const isSpoken = (word: string) =>
			clips.some((clip) => isSpokenIn(word, clip));
		const random = seeded(language);
		const pool = shuffled(this.#poolOf(language), random);
		const found: string[] = [];
		for (const word of pool) {
			if (found.length === count) break;
			if (!isSpoken(word)) found.push(word);
		}
		return found;
	}

	#isRare(word: string, language: ScoredLanguage): boolean {
		const characters = [...word].length;
		if (latin.test(word))
			return characters >= 4 && isRareIn(this.#frequencies.en, word, true);
		return (
			speakable[language].test(word) &&
			isRareIn(this.#frequencies[language], word, false)
		);
	}

	#poolOf(language: ScoredLanguage): readonly string[] {
		let pool = this.#pools.get(language);
		if (pool === undefined) {
			pool = [...this.#frequencies[language]]
				.filter(
					([word, zipf]) => zipf < zipfMax && speakable[language].test(word),
				)
				.map(([word]) => word);
			this.#pools.set(language, pool);
		}
		return pool;
	}
}

/** @param unknownToo a word that is on no list is rare where spaces say that it is a word at all. */
function isRareIn(
	zipfs: ReadonlyMap<string, number>,
	word: string,
	unknownToo: boolean,
): boolean {
	const zipf = zipfs.get(word);
	return zipf === undefined ? unknownToo : zipf < zipfMax;
}

const referenceTexts = new Map<Clip, string>();

function isSpokenIn(word: string, clip: Clip): boolean {
	const { language, reference = "" } = clip;
	const joined = (text: string) =>
		` ${scoringUnits(text, language).join(" ")} `;
	let text = referenceTexts.get(clip);
	if (text === undefined) {
		text = joined(reference);
		referenceTexts.set(clip, text);
	}
	return text.includes(joined(word));
}

function readFrequencies(): Frequencies {
	const json = execFileSync(
		join(cacheDirectory, "python/bin/python"),
		[resolve("scripts/benchmarks/peers/word_frequencies.py"), `${wordsRead}`],
		{ encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
	);
	const lists = JSON.parse(json) as Record<ScoredLanguage, [string, number][]>;
	return {
		zh: new Map(lists.zh),
		ja: new Map(lists.ja),
		en: new Map(lists.en),
	};
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
	return values
		.map((value) => ({ value, key: random() }))
		.sort((a, b) => a.key - b.key)
		.map(({ value }) => value);
}

/** Mulberry32 from a text's characters: the same sequence in every run. */
function seeded(text: string): () => number {
	let state = 7;
	for (const character of text)
		state = (Math.imul(state, 31) + (character.codePointAt(0) as number)) >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
