/**
 * Makes a lexicon file (lexicon-format.ts) from a list of words with their frequencies, in the form of jieba's `dict.txt`: `WORD FREQUENCY TAG` a line.
 * Readings are pinyin-pro's. Done once, when a package is installed, by a command: it blocks for seconds.
 */
import {
	bytesOf,
	headerOf,
	type LexiconCounts,
	type LexiconSections,
	sectionsOf,
} from "./lexicon-format.js";
import { readingsOf, syllablesOf, type TonedSyllable } from "./pinyin.js";
import { wordLengthMax, wordLogpMin } from "./word-source.js";

/** Rarer words are mostly misprints. */
const frequencyMin = 3;
/** The ranges of characters that are common in texts; the rest needs two UTF-16 units. */
const characterFrom = 0x3400;
const characterTo = 0x9fff;

/**
 * How characters are spoken although no dictionary says so: the tones of 一 and 不 change with the next syllable, and 嗯 is heard as an n or "en".
 */
const spoken: Readonly<Record<string, readonly string[]>> = {
	一: ["yi2", "yi4", "yao1"],
	不: ["bu2"],
	嗯: ["en4", "en1"],
	这: ["zhei4"],
	那: ["nei4"],
	哪: ["nei3"],
	谁: ["shei2"],
	欸: ["ei4"],
};

interface Word {
	readonly text: string;
	readonly logp: number;
	/** Numbers of its syllables, as UTF-16 units: sorts as a sequence. */
	readonly key: string;
}

/** @param dictionary UTF-8. */
export function buildLexicon(dictionary: Uint8Array): Uint8Array {
	const readings = new Map<string, readonly TonedSyllable[]>();
	for (let unit = characterFrom; unit <= characterTo; unit++) {
		const character = String.fromCharCode(unit);
		const found = allReadings(character);
		if (found.length > 0) readings.set(character, found);
	}
	const frequencies = readFrequencies(dictionary, readings);
	const syllables = namesOf(readings);
	const numbers = new Map(syllables.map((it, i) => [it, i]));
	const words = wordsOf(frequencies, readings, numbers);
	return pack(words, readings, syllables, numbers);
}

function allReadings(character: string): TonedSyllable[] {
	const found = readingsOf(character);
	for (const it of spoken[character] ?? []) {
		const reading = { syllable: it.slice(0, -1), tone: Number(it.at(-1)) };
		const isKnown = found.some(
			({ syllable, tone }) =>
				syllable === reading.syllable && tone === reading.tone,
		);
		if (!isKnown) found.push(reading);
	}
	return found;
}

/** By word; words with characters that nobody can read are left out, but count towards the total. */
function readFrequencies(
	dictionary: Uint8Array,
	readings: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, number> {
	const lines = new TextDecoder().decode(dictionary).split("\n");
	const kept = new Map<string, number>();
	let total = 0;
	for (const line of lines) {
		const [text = "", count = ""] = line.split(" ", 2);
		const frequency = Number(count);
		if (!(frequency >= 0)) continue;
		total += frequency;
		if (frequency < frequencyMin || text.length > wordLengthMax) continue;
		if (text !== "" && [...text].every((it) => readings.has(it)))
			kept.set(text, frequency);
	}
	const logTotal = Math.log(total);
	for (const [text, frequency] of kept) {
		const logp = Math.log(frequency + 0.5) - logTotal;
		kept.set(text, Math.min(0, Math.max(wordLogpMin, logp)));
	}
	return kept;
}

function namesOf(
	readings: ReadonlyMap<string, readonly TonedSyllable[]>,
): string[] {
	const names = new Set<string>();
	for (const found of readings.values())
		for (const { syllable } of found) names.add(syllable);
	return [...names].sort();
}

/** A character once for each of its readings, a longer word once, in the reading that fits it. Sorted by syllables, then by probability. */
function wordsOf(
	frequencies: ReadonlyMap<string, number>,
	readings: ReadonlyMap<string, readonly TonedSyllable[]>,
	numbers: ReadonlyMap<string, number>,
): readonly Word[] {
	const byKey = new Map<string, Word[]>();
	const add = (text: string, logp: number, syllables: readonly string[]) => {
		let key = "";
		for (const it of syllables)
			key += String.fromCharCode(numbers.get(it) ?? 0);
		const same = byKey.get(key);
		if (same) same.push({ text, logp, key });
		else byKey.set(key, [{ text, logp, key }]);
	};
	const bases = new Map<string, readonly string[]>();
	for (const [character, found] of readings)
		bases.set(character, basesOf(found));
	for (const [text, logp] of frequencies) {
		const possible = [...text].map((it) => bases.get(it) ?? []);
		if (text.length === 1)
			for (const base of possible[0] ?? []) add(text, logp, [base]);
		else if (possible.every((it) => it.length === 1))
			add(text, logp, possible.flat());
		else {
			const fitting = syllablesOf([...text]);
			const isKnown = fitting.every((it) => it && numbers.has(it));
			if (isKnown) add(text, logp, fitting as string[]);
		}
	}
	// the order of UTF-16 units
	const keys = [...byKey.keys()].sort();
	const sorted: Word[] = [];
	for (const key of keys) {
		const same = byKey.get(key) ?? [];
		if (same.length > 1) same.sort(byProbability);
		sorted.push(...same);
	}
	return sorted;
}

function byProbability(one: Word, other: Word): number {
	return other.logp - one.logp || (one.text < other.text ? -1 : 1);
}

function basesOf(readings: readonly TonedSyllable[]): string[] {
	return [...new Set(readings.map((it) => it.syllable))];
}

function pack(
	words: readonly Word[],
	readings: ReadonlyMap<string, readonly TonedSyllable[]>,
	syllables: readonly string[],
	numbers: ReadonlyMap<string, number>,
): Uint8Array {
	const names = new TextEncoder().encode(syllables.join(" "));
	const levels = levelsOf(words);
	const counts: LexiconCounts = {
		syllableBytes: names.length,
		syllables: syllables.length,
		nodes: 1 + levels.reduce((sum, it) => sum + it.length, 0),
		words: words.length,
		units: words.reduce((sum, it) => sum + it.text.length, 0),
		characters: readings.size,
		readings: [...readings.values()].reduce((sum, it) => sum + it.length, 0),
	};
	const file = new Uint8Array(bytesOf(counts));
	new Uint32Array(file.buffer).set(headerOf(counts));
	const sections = sectionsOf(file.buffer, 0, counts);
	sections.syllableNames.set(names);
	packReadings(sections, readings, numbers);
	packTree(sections, levels);
	return file;
}

/** A node of the trie, before it has a number. */
interface Node {
	/** That leads to it. */
	readonly syllable: number;
	readonly words: Word[];
	children: number;
}

/** Nodes by depth, from 1, each level in the order of the keys. */
function levelsOf(words: readonly Word[]): readonly Node[][] {
	const levels: Node[][] = [];
	let before = "";
	for (const word of words) {
		const { key } = word;
		for (
			let depth = sharedUnits(before, key) + 1;
			depth <= key.length;
			depth++
		) {
			const level = levels[depth - 1] ?? [];
			if (level.length === 0) levels.push(level);
			const syllable = key.charCodeAt(depth - 1);
			level.push({ syllable, words: [], children: 0 });
			const parent = levels[depth - 2]?.at(-1);
			if (parent) parent.children++;
		}
		levels[key.length - 1]?.at(-1)?.words.push(word);
		before = key;
	}
	return levels;
}

function sharedUnits(one: string, other: string): number {
	let shared = 0;
	while (shared < one.length && one[shared] === other[shared]) shared++;
	return shared;
}

function packTree(sections: LexiconSections, levels: readonly Node[][]): void {
	const { childFrom, wordFrom, wordLogp, nodeSyllable, wordUnits } = sections;
	let node = 1;
	let child = 1 + (levels[0]?.length ?? 0);
	let word = 0;
	let unit = 0;
	childFrom[0] = 1;
	for (const level of levels)
		for (const { syllable, words, children } of level) {
			nodeSyllable[node] = syllable;
			childFrom[node] = child;
			wordFrom[node] = word;
			for (const { text, logp } of words) {
				wordLogp[word++] = logp;
				for (let i = 0; i < text.length; i++)
					wordUnits[unit++] = text.charCodeAt(i);
			}
			child += children;
			node++;
		}
	childFrom[node] = child;
	wordFrom[node] = word;
}

function packReadings(
	sections: LexiconSections,
	readings: ReadonlyMap<string, readonly TonedSyllable[]>,
	numbers: ReadonlyMap<string, number>,
): void {
	let at = 0;
	let index = 0;
	// the characters were read in the order of their units
	for (const [character, found] of readings) {
		sections.characters[index] = character.charCodeAt(0);
		sections.readingFrom[index++] = at;
		for (const { syllable, tone } of found)
			sections.readings[at++] = (numbers.get(syllable) ?? 0) * 8 + tone;
	}
	sections.readingFrom[index] = at;
}
