/**
 * Words that sound like a stretch of a text. Both are syllables; a word is like a stretch of as many syllables that differ by little in all. Words are
 * found by any one syllable that sounds right, so a list of 20,000 costs no more than the few that share one.
 *
 * Distances between syllables: 0 equal; 0.25 what speakers and recognizers mix up (zh and z, an and ang, n and l); 0.5 another beginning or another end;
 * 1 both.
 */

export interface SoundAlike {
	readonly word: number;
	/** Syllables of the text, `to` excluded. */
	readonly from: number;
	readonly to: number;
	/** Summed over the syllables. */
	readonly distance: number;
}

/** Of a word's syllables on average. */
const distanceMax = 0.25;
/** One syllable has too many homophones. */
const syllablesMin = 2;

/** Numbers for syllables, of which a language has a few hundred: a list is compared with a text some ten thousand times. */
const numbers = new Map<string, number>();
const syllableOf: string[] = [];
/** Of two numbers; NaN until asked for. */
const distances: Float32Array[] = [];
/** More are no syllables of any language. */
const syllablesMax = 2000;

export class SoundIndex {
	readonly #words: (readonly number[])[] = [];
	/** By mixed-up syllable: words, and where in them it stands. */
	readonly #postings = new Map<string, { word: number; at: number }[]>();

	/** @param syllables of a word; one with an unreadable syllable is left out. */
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

/** Infinity where there are no syllables to compare with, and as soon as it is too much. */
function distanceFrom(
	syllables: readonly number[],
	recognized: readonly number[],
	from: number,
): number {
	if (from + syllables.length > recognized.length)
		return Number.POSITIVE_INFINITY;
	const most = distanceMax * syllables.length;
	let distance = 0;
	for (let i = 0; i < syllables.length; i++) {
		const here = recognized[from + i] as number;
		if (here === none) return Number.POSITIVE_INFINITY;
		distance += distanceBetween(here, syllables[i] as number);
		if (distance > most) return Number.POSITIVE_INFINITY;
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

/** One spelling for sounds that are mixed up. */
function mixedUp(syllable: string): string {
	return syllable
		.replace(/^(z|c|s)h/, "$1")
		.replace(/^l/, "n")
		.replace(/(a|e|i)ng$/, "$1n");
}
