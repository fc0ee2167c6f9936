/**
 * Finds words that sound like a span of a text. Both are sequences of syllables; a word matches a span with the same number of syllables and a small total
 * distance. Words are looked up by a single matching syllable, so a list of 20,000 costs no more than the few words that share it.
 *
 * Distances between syllables: 0 equal; 0.25 sounds that speakers and recognizers confuse (zh and z, an and ang, n and l); 0.5 another initial or another
 * final; 1 both.
 */

export interface SoundAlike {
	readonly word: number;
	/** Indices of syllables in the text, `to` excluded. */
	readonly from: number;
	readonly to: number;
	/** Summed over the syllables. */
	readonly distance: number;
}

/** Maximum mean distance of a word's syllables. */
const distanceMax = 0.25;
/** A single syllable has too many homophones. */
const syllablesMin = 2;

/** Numbers for syllables, of which a language has a few hundred: matching a text with a list takes about ten thousand comparisons. */
const numbers = new Map<string, number>();
const syllableOf: string[] = [];
/** Distances by two numbers; NaN until computed. */
const distances: Float32Array[] = [];
/** No language has more syllables than this. */
const syllablesMax = 2000;

export class SoundIndex {
	readonly #words: (readonly number[])[] = [];
	/** By syllable after `mixedUp`: words, and its index in them. */
	readonly #postings = new Map<string, { word: number; at: number }[]>();

	/** @param syllables of a word; a word with an unreadable syllable is skipped. */
	add(word: number, syllables: readonly (string | undefined)[]): void {
		const read = syllables.filter((it) => it !== undefined);
		if (read.length < Math.max(syllables.length, syllablesMin)) return;
		this.#words[word] = read.map(numberOf);
		read.forEach((syllable, at) => {
			const key = mixedUp(syllable);
			const known = this.#postings.get(key);
			if (known) known.push({ word, at });
			else this.#postings.set(key, [{ word, at }]);
		});
	}

	/** Nearest first. */
	find(text: readonly (string | undefined)[]): SoundAlike[] {
		const found = new Map<number, SoundAlike>();
		const recognized = text.map((it) =>
			it === undefined ? none : numberOf(it),
		);
		text.forEach((syllable, i) => {
			if (syllable === undefined) return;
			for (const { word, at } of this.#postings.get(mixedUp(syllable)) ?? []) {
				const from = i - at;
				if (from < 0) continue;
				const syllables = this.#words[word] as readonly number[];
				const distance = distanceFrom(syllables, recognized, from);
				if (distance > distanceMax * syllables.length) continue;
				const to = from + syllables.length;
				found.set(word * text.length + from, { word, from, to, distance });
			}
		});
		return [...found.values()].sort((a, b) => a.distance - b.distance);
	}
}

const none = -1;

/** Infinity where syllables are missing, and as soon as the distance exceeds the maximum. */
function distanceFrom(
	syllables: readonly number[],
	recognized: readonly number[],
	from: number,
): number {
	if (from + syllables.length > recognized.length)
		return Number.POSITIVE_INFINITY;
	const totalMax = distanceMax * syllables.length;
	let distance = 0;
	for (let i = 0; i < syllables.length; i++) {
		const here = recognized[from + i] as number;
		if (here === none) return Number.POSITIVE_INFINITY;
		distance += distanceBetween(here, syllables[i] as number);
		if (distance > totalMax) return Number.POSITIVE_INFINITY;
	}
	return distance;
}

function numberOf(syllable: string): number {
	let number = numbers.get(syllable);
	if (number === undefined) {
		if (syllableOf.length === syllablesMax) return none;
		number = syllableOf.push(syllable) - 1;
		numbers.set(syllable, number);
	}
	return number;
}

function distanceBetween(one: number, other: number): number {
	let row = distances[one];
	if (row === undefined) {
		row = new Float32Array(syllablesMax).fill(Number.NaN);
		distances[one] = row;
	}
	const known = row[other] as number;
	if (!Number.isNaN(known)) return known;
	const distance = syllableDistance(
		syllableOf[one] as string,
		syllableOf[other] as string,
	);
	row[other] = distance;
	return distance;
}

export function syllableDistance(one: string, other: string): number {
	if (one === other) return 0;
	const [begin, end] = parted(mixedUp(one));
	const [otherBegin, otherEnd] = parted(mixedUp(other));
	const differ =
		(begin === otherBegin ? 0 : 0.5) + (end === otherEnd ? 0 : 0.5);
	return differ === 0 ? 0.25 : differ;
}

const beginning = /^[bpmfdtnlgkhjqxzcsrwy]?/;

function parted(syllable: string): [string, string] {
	const begin = beginning.exec(syllable)?.[0] ?? "";
	return [begin, syllable.slice(begin.length)];
}

/** The same spelling for sounds that are confused. */
function mixedUp(syllable: string): string {
	return syllable
		.replace(/^(z|c|s)h/, "$1")
		.replace(/^l/, "n")
		.replace(/(a|e|i)ng$/, "$1n");
}
