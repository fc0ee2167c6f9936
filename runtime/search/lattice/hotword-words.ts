/**
 * Hotwords as a source of words for the lattice, in addition to the lexicon: each is found by its syllables and earns a bonus.
 */
import {
	type Lexicon,
	type WordSource,
	wordLengthMax,
	wordLogpMin,
} from "../../text/zh/word-source.js";

export interface LatticeHotword {
	/** Simplified, one character a syllable. */
	readonly text: string;
	/** Toneless, ü as "v". */
	readonly syllables: readonly string[];
	/** Added to the score of a path through it. */
	readonly bonus: number;
}

interface Node {
	readonly children: Map<number, number>;
	readonly words: number[];
}

/** A hotword that is no word of the lexicon is as likely as a rare one. */
const rareLogp = -13;

/** Made once for a list: its words are numbered by node, so that those of one node are neighbours. */
export class HotwordWords implements WordSource {
	readonly root = 0;
	readonly #children: ReadonlyMap<number, number>[];
	readonly #firstWord: number[] = [];
	readonly #words: LatticeHotword[] = [];
	readonly #logps: number[];

	/** Hotwords that are too long, or that have other syllables than characters or unknown ones, are left out. */
	constructor(hotwords: Iterable<LatticeHotword>, lexicon: Lexicon) {
		const nodes: Node[] = [{ children: new Map(), words: [] }];
		const list: LatticeHotword[] = [];
		for (const it of hotwords) {
			const numbers = it.syllables.map((name) => lexicon.syllableNumber(name));
			const isWord =
				it.text.length > 0 &&
				it.text.length <= wordLengthMax &&
				it.text.length === numbers.length &&
				numbers.every((number) => number >= 0) &&
				Number.isFinite(it.bonus);
			if (!isWord) continue;
			nodeAt(nodes, numbers).words.push(list.length);
			list.push(it);
		}
		this.#children = nodes.map((it) => it.children);
		for (const { words } of nodes) {
			this.#firstWord.push(this.#words.length);
			const here = words.map((it) => list[it] as LatticeHotword);
			here.sort((one, other) => other.bonus - one.bonus);
			this.#words.push(...here);
		}
		this.#firstWord.push(this.#words.length);
		this.#logps = this.#words.map(({ text }) => {
			const logp = lexicon.logpOf(text);
			return logp > wordLogpMin ? logp : rareLogp;
		});
	}

	/** How many were taken. */
	get size(): number {
		return this.#words.length;
	}

	child(node: number, syllable: number): number {
		return this.#children[node]?.get(syllable) ?? -1;
	}

	wordFrom(node: number): number {
		return this.#firstWord[node] as number;
	}

	wordTo(node: number): number {
		return this.#firstWord[node + 1] as number;
	}

	wordText(word: number): string {
		return (this.#words[word] as LatticeHotword).text;
	}

	wordUnit(word: number, index: number): number {
		return this.wordText(word).charCodeAt(index);
	}

	wordLogp(word: number): number {
		return this.#logps[word] as number;
	}

	wordBonus(word: number): number {
		return (this.#words[word] as LatticeHotword).bonus;
	}
}

function nodeAt(nodes: Node[], syllables: readonly number[]): Node {
	let node = nodes[0] as Node;
	for (const syllable of syllables) {
		let next = node.children.get(syllable);
		if (next === undefined) {
			next = nodes.length;
			nodes.push({ children: new Map(), words: [] });
			node.children.set(syllable, next);
		}
		node = nodes[next] as Node;
	}
	return node;
}
