/**
 * Hotwords as a source of words for the lattice, in addition to the lexicon: each is found by its syllables and earns a bonus.
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
import { isHan } from "./spoken-text.js";

export interface LatticeHotword {
	/** Simplified, one character a syllable. */
	readonly text: string;
	/** Toneless, ü as "v". */
	readonly syllables: readonly string[];
	/** Added to the score of a path through it. */
	readonly bonus: number;
}

/** A hotword that is no word of the lexicon is as likely as a rare one. */
const rareLogp = -13;
/** Syllable numbers are smaller. */
const syllablesMax = 8192;
const piece = 100;

/** Made once for a list. */
export class HotwordWords implements WordSource {
	readonly root = 0;
	/** By node and syllable; one map, since a map for each node would take many megabytes. */
	readonly #children = new Map<number, number>();
	readonly #firstWord: number[] = [];
	readonly #words: string[] = [];
	readonly #logps: number[] = [];
	/** By text. */
	readonly #bonuses = new Map<string, number>();
	/** First characters: most places of a text begin no hotword. */
	readonly #firsts = new Set<string>();

	/** Hotwords that are too long, or that have other syllables than characters or unknown ones, are left out. */
	static *of(
		hotwords: Iterable<LatticeHotword>,
		lexicon: Lexicon,
	): Piecewise<HotwordWords> {
		const made = new HotwordWords();
		const byNode: LatticeHotword[][] = [[]];
		yield* inPieces(hotwords, piece, (it) => {
			const node = made.#nodeFor(it, lexicon, byNode);
			if (node !== undefined) byNode[node]?.push(it);
		});
		yield* inPieces(byNode, piece, (words) => {
			made.#firstWord.push(made.#words.length);
			words.sort((one, other) => other.bonus - one.bonus);
			for (const it of words) {
				const logp = lexicon.logpOf(it.text);
				made.#words.push(it.text);
				const known = made.#bonuses.get(it.text) ?? 0;
				made.#bonuses.set(it.text, Math.max(known, it.bonus));
				made.#firsts.add(it.text.charAt(0));
				made.#logps.push(logp > wordLogpMin ? logp : rareLogp);
			}
		});
		made.#firstWord.push(made.#words.length);
		return made;
	}

	/** What the hotwords in a text earn together: from left to right, the longest at each place. */
	bonusIn(units: readonly string[]): number {
		let bonus = 0;
		for (let at = 0; at < units.length; ) {
			const length = this.#longestAt(units, at);
			const text = units.slice(at, at + length).join("");
			bonus += this.#bonuses.get(text) ?? 0;
			at += Math.max(1, length);
		}
		return bonus;
	}

	#longestAt(units: readonly string[], at: number): number {
		const most = Math.min(wordLengthMax, units.length - at);
		if (!this.#firsts.has(units[at] as string)) return 0;
		for (let length = most; length > 0; length--)
			if (this.#bonuses.has(units.slice(at, at + length).join("")))
				return length;
		return 0;
	}

	/** How many were taken. */
	get size(): number {
		return this.#words.length;
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

	wordBonus(word: number): number {
		return this.#bonuses.get(this.#words[word] as string) ?? 0;
	}

	#nodeFor(
		{ text, syllables, bonus }: LatticeHotword,
		lexicon: Lexicon,
		byNode: LatticeHotword[][],
	): number | undefined {
		const numbers = syllables.map((name) => lexicon.syllableNumber(name));
		const isWord =
			text.length > 0 &&
			text.length <= wordLengthMax &&
			text.length === numbers.length &&
			numbers.every((number) => number >= 0) &&
			Number.isFinite(bonus);
		if (!isWord) return undefined;
		let node = this.root;
		for (const number of numbers) {
			let next = this.child(node, number);
			if (next < 0) {
				next = byNode.push([]) - 1;
				this.#children.set(node * syllablesMax + number, next);
			}
			node = next;
		}
		return node;
	}
}

/** @param text any list entry. @returns undefined if it is not all Chinese, too long, or nobody can read it. */
export function latticeHotword(
	text: string,
	bonus: number,
): LatticeHotword | undefined {
	const characters = simplifyCharacters([...text.normalize("NFKC").trim()]);
	const isWord =
		characters.length <= wordLengthMax && characters.every((it) => isHan(it));
	if (!isWord || characters.length === 0) return undefined;
	const syllables = syllablesOf(characters).filter((it) => it !== undefined);
	if (syllables.length < characters.length) return undefined;
	return { text: characters.join(""), syllables, bonus };
}
