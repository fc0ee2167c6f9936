/**
 * Chinese hotwords as a source of words for the lattice, in addition to the lexicon: each is found by its syllables (hotword-readings.ts), and is as likely as a rare word.
 */
import { inPieces, type Piecewise } from "../../event-loop/piecewise.js";
import { syllablesOf } from "../../text/zh/pinyin.js";
import { simplifyCharacters } from "../../text/zh/simplify.js";
import {
	type Lexicon,
	type WordSource,
	wordLengthMax,
	wordLogpMin,
} from "../../text/zh/word-source.js";
import { hotwordReadings, type LatticeHotword } from "./hotword-readings.js";
import { isHan } from "./spoken-text.js";

/** A hotword that is no word of the lexicon is as likely as a rare one. */
const rareLogp = -13;
/** A single syllable has too many homophones. */
const lengthMin = 2;
/** Syllable numbers are smaller. */
const syllablesMax = 8192;
const piece = 50;

/** Made once for a list. */
export class HotwordWords implements WordSource {
	readonly root = 0;
	/** By node and syllable; one map, since a map for each node would take many megabytes. */
	readonly #children = new Map<number, number>();
	readonly #firstWord: number[] = [];
	readonly #words: string[] = [];
	readonly #logps: number[] = [];
	/** By text. */
	readonly #logpOf = new Map<string, number>();
	/** By first character: characters of the longest one. Most places of a text begin no hotword. */
	readonly #longest = new Map<string, number>();

	/** @param hotwords may be a generator. Those that are too short or too long, or that have other syllables than characters or unknown ones, are left out. */
	static *of(
		hotwords: Iterable<LatticeHotword | undefined>,
		lexicon: Lexicon,
	): Piecewise<HotwordWords> {
		const made = new HotwordWords();
		const byNode: string[][] = [[]];
		yield* inPieces(hotwords, piece, (it) => {
			if (!it || made.#logpOf.has(it.text)) return;
			if (!isWord(it)) return;
			const readings = hotwordReadings(it, lexicon);
			if (readings.length === 0) return;
			for (const syllables of readings)
				byNode[made.#nodeFor(syllables, byNode)]?.push(it.text);
			const logp = lexicon.logpOf(it.text);
			made.#logpOf.set(it.text, logp > wordLogpMin ? logp : rareLogp);
			const first = it.text.charAt(0);
			const longest = made.#longest.get(first) ?? 0;
			made.#longest.set(first, Math.max(longest, it.text.length));
		});
		yield* inPieces(byNode, piece, (words) => {
			made.#firstWord.push(made.#words.length);
			for (const text of words) {
				made.#words.push(text);
				made.#logps.push(made.logpOf(text));
			}
		});
		made.#firstWord.push(made.#words.length);
		return made;
	}

	/** How many were taken. */
	get size(): number {
		return this.#logpOf.size;
	}

	/** Natural log-probability of a hotword; -Infinity for other texts. */
	logpOf(text: string): number {
		return this.#logpOf.get(text) ?? Number.NEGATIVE_INFINITY;
	}

	/** Characters of the longest hotword that begins with a character; 0 if none does. */
	longestFrom(first: string): number {
		return this.#longest.get(first) ?? 0;
	}

	child(node: number, syllable: number): number {
		return this.#children.get(node * syllablesMax + syllable) ?? -1;
	}

	wordFrom(node: number): number {
		return this.#firstWord[node] as number;
	}

	wordTo(node: number): number {
		return this.#firstWord[node + 1] as number;
	}

	wordText(word: number): string {
		return this.#words[word] as string;
	}

	wordUnit(word: number, index: number): number {
		return this.wordText(word).charCodeAt(index);
	}

	wordLogp(word: number): number {
		return this.#logps[word] as number;
	}

	#nodeFor(syllables: readonly number[], byNode: string[][]): number {
		let node = this.root;
		for (const syllable of syllables) {
			let next = this.child(node, syllable);
			if (next < 0) {
				next = byNode.push([]) - 1;
				this.#children.set(node * syllablesMax + syllable, next);
			}
			node = next;
		}
		return node;
	}
}

function isWord({ text, syllables }: LatticeHotword): boolean {
	return (
		text.length >= lengthMin &&
		text.length <= wordLengthMax &&
		text.length === syllables.length
	);
}

/** @param text any list entry. @returns undefined if it is not all Chinese, too long, or nobody can read it. */
export function latticeHotword(text: string): LatticeHotword | undefined {
	const characters = simplifyCharacters([...text.normalize("NFKC").trim()]);
	const isWord =
		characters.length >= lengthMin &&
		characters.length <= wordLengthMax &&
		characters.every((it) => isHan(it));
	if (!isWord) return undefined;
	const syllables = syllablesOf(characters).filter((it) => it !== undefined);
	if (syllables.length < characters.length) return undefined;
	return { text: characters.join(""), syllables };
}
