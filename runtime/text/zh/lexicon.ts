/**
 * A lexicon file in memory: words by their syllables and by their text, with probabilities, and the readings of characters.
 */

import { checkedLexicon, LexiconFault } from "./lexicon-check.js";
import type { LexiconSections } from "./lexicon-format.js";
import { type Lexicon, type Reading, wordLogpMin } from "./word-source.js";

/** Jieba's words need at most a tenth as many. */
const probesMax = 2000;

/** @param file kept, not copied, if it begins at a multiple of 4 bytes. @throws LexiconFault */
export function openLexicon(file: Uint8Array): Lexicon {
	const bytes = file.byteOffset % 4 === 0 ? file : file.slice();
	const { sections, syllables } = checkedLexicon(bytes);
	return new PackedLexicon(sections, syllables);
}

class PackedLexicon implements Lexicon {
	readonly #sections: LexiconSections;
	readonly root = 0;
	readonly #childFrom: Uint32Array;
	readonly #firstWord: Uint32Array;
	readonly #logp: Float32Array;
	readonly #nodeSyllable: Uint16Array;
	readonly #units: Uint16Array;
	readonly #numbers: ReadonlyMap<string, number>;
	/** By number of characters: the first word of that length, and where its text begins. */
	readonly #lengthFrom: number[] = [0];
	readonly #unitFrom: number[] = [0];
	/** By UTF-16 unit: position in the list of characters + 1, or 0. */
	readonly #characterIndex = new Uint16Array(65_536);
	/** Words by a hash of their text, open addressing: number + 1, or 0. */
	readonly #byText: Uint32Array;

	constructor(
		sections: LexiconSections,
		readonly syllables: readonly string[],
	) {
		this.#sections = sections;
		this.#childFrom = sections.childFrom;
		this.#firstWord = sections.wordFrom;
		this.#logp = sections.wordLogp;
		this.#nodeSyllable = sections.nodeSyllable;
		this.#units = sections.wordUnits;
		this.#numbers = new Map(syllables.map((it, i) => [it, i]));
		sections.characters.forEach((unit, i) => {
			this.#characterIndex[unit] = i + 1;
		});
		this.#findLengths();
		const slots = 2 ** Math.ceil(Math.log2(1.5 * this.#logp.length + 2));
		this.#byText = new Uint32Array(slots);
		for (let word = 0; word < this.#logp.length; word++) this.#addText(word);
	}

	child(node: number, syllable: number): number {
		let low = this.#childFrom[node] as number;
		let high = (this.#childFrom[node + 1] as number) - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const found = this.#nodeSyllable[middle] as number;
			if (found === syllable) return middle;
			if (found < syllable) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}

	wordFrom(node: number): number {
		return this.#firstWord[node] as number;
	}

	wordTo(node: number): number {
		return this.#firstWord[node + 1] as number;
	}

	wordText(word: number): string {
		const length = this.#lengthOf(word);
		const from = this.#textFrom(word, length);
		return String.fromCharCode(...this.#units.subarray(from, from + length));
	}

	wordUnit(word: number, index: number): number {
		return this.#units[this.#textFrom(word, this.#lengthOf(word)) + index] ?? 0;
	}

	wordLogp(word: number): number {
		return this.#logp[word] as number;
	}

	syllableNumber(syllable: string): number {
		return this.#numbers.get(syllable) ?? -1;
	}

	readings(character: string): readonly Reading[] {
		if (character.length !== 1) return [];
		const { readings, readingFrom } = this.#sections;
		const index = this.#characterIndex[character.charCodeAt(0)] as number;
		if (index === 0) return [];
		const found = readings.subarray(readingFrom[index - 1], readingFrom[index]);
		return Array.from(found, (it) => ({ syllable: it >> 3, tone: it & 7 }));
	}

	tonesOf(unit: number, syllable: number): number {
		const { readings, readingFrom } = this.#sections;
		const index = this.#characterIndex[unit] as number;
		if (index === 0) return 0;
		let tones = 0;
		const to = readingFrom[index] as number;
		for (let at = readingFrom[index - 1] as number; at < to; at++) {
			const reading = readings[at] as number;
			if (reading >> 3 === syllable) tones |= 1 << (reading & 7);
		}
		return tones;
	}

	wordNumber(text: string): number {
		return this.wordNumberAt(text, 0, text.length);
	}

	wordNumberAt(text: string, from: number, length: number): number {
		const mask = this.#byText.length - 1;
		for (let at = hashOf(text, from, length) & mask; ; at = (at + 1) & mask) {
			const word = (this.#byText[at] as number) - 1;
			if (word < 0 || this.#isText(word, text, from, length)) return word;
		}
	}

	logpOf(text: string): number {
		const word = this.wordNumber(text);
		return word < 0 ? wordLogpMin : (this.#logp[word] as number);
	}

	#findLengths(): void {
		let node = 0;
		let end = 1;
		for (let length = 0; node < end; length++) {
			const words = this.wordFrom(end) - this.wordFrom(node);
			this.#lengthFrom.push(this.wordFrom(end));
			this.#unitFrom.push((this.#unitFrom[length] as number) + words * length);
			node = end;
			end = this.#childFrom[end] ?? end;
		}
	}

	#lengthOf(word: number): number {
		let length = 1;
		while (word >= (this.#lengthFrom[length + 1] ?? word + 1)) length++;
		return length;
	}

	#textFrom(word: number, length: number): number {
		const before = word - (this.#lengthFrom[length] as number);
		return (this.#unitFrom[length] as number) + before * length;
	}

	#isText(word: number, text: string, at: number, length: number): boolean {
		if (this.#lengthOf(word) !== length) return false;
		const from = this.#textFrom(word, length);
		for (let i = 0; i < length; i++)
			if (this.#units[from + i] !== text.charCodeAt(at + i)) return false;
		return true;
	}

	/** The first of several words with this text stays. */
	#addText(word: number): void {
		const length = this.#lengthOf(word);
		const from = this.#textFrom(word, length);
		let hash = 0;
		for (let i = 0; i < length; i++)
			hash = mixed(hash, this.#units[from + i] as number);
		const mask = this.#byText.length - 1;
		let at = hash & mask;
		for (let probes = 0; (this.#byText[at] as number) > 0; probes++) {
			if (this.#isSame(word, (this.#byText[at] as number) - 1)) return;
			// texts chosen to have one hash
			if (probes > probesMax) throw new LexiconFault("has impossible words");
			at = (at + 1) & mask;
		}
		this.#byText[at] = word + 1;
	}

	#isSame(word: number, other: number): boolean {
		const length = this.#lengthOf(word);
		if (this.#lengthOf(other) !== length) return false;
		const from = this.#textFrom(word, length);
		const otherFrom = this.#textFrom(other, length);
		for (let i = 0; i < length; i++)
			if (this.#units[from + i] !== this.#units[otherFrom + i]) return false;
		return true;
	}
}

function hashOf(text: string, from: number, length: number): number {
	let hash = 0;
	for (let i = 0; i < length; i++)
		hash = mixed(hash, text.charCodeAt(from + i));
	return hash;
}

function mixed(hash: number, unit: number): number {
	const product = Math.imul(hash ^ unit, 0x9e3779b1);
	return product ^ (product >>> 15);
}
