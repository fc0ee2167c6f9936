/**
 * Checks a lexicon file once, when it is opened: the file may come from anywhere, so everything that is followed as an index later must lie inside it.
 */
import {
	bytesOf,
	headerLength,
	type LexiconCounts,
	type LexiconSections,
	magic,
	sectionsOf,
	version,
} from "./lexicon-format.js";
import { wordLengthMax, wordLogpMin } from "./word-source.js";

/** The file is no lexicon, or a damaged one; the message ends a sentence that begins with its name. */
export class LexiconFault extends Error {}

/** @param bytes beginning at a multiple of 4. @throws LexiconFault */
export function checkedLexicon(bytes: Uint8Array): {
	readonly sections: LexiconSections;
	readonly syllables: readonly string[];
} {
	const counts = readHeader(bytes);
	const sections = sectionsOf(bytes.buffer, bytes.byteOffset, counts);
	const syllables = syllablesOf(sections, counts);
	checkTree(sections, counts);
	checkReadings(sections, counts);
	return { sections, syllables };
}

function readHeader(bytes: Uint8Array): LexiconCounts {
	if (bytes.length < headerLength * 4) throw new LexiconFault("is too short");
	const header = new Uint32Array(bytes.buffer, bytes.byteOffset, headerLength);
	const at = (index: number) => header[index] as number;
	if (at(0) !== magic[0] || at(1) !== magic[1])
		throw new LexiconFault("is no lexicon");
	if (at(2) !== version)
		throw new LexiconFault(
			`has version ${at(2)} of the format, not ${version}`,
		);
	const counts: LexiconCounts = {
		syllableBytes: at(3),
		syllables: at(4),
		nodes: at(5),
		words: at(6),
		units: at(7),
		characters: at(8),
		readings: at(9),
	};
	// a product of sizes beyond 2^32 is still exact as a number
	if (bytesOf(counts) !== bytes.length)
		throw new LexiconFault("has another size than its header says");
	// syllable * 8 + tone has 16 bits
	if (
		counts.nodes === 0 ||
		counts.syllables > 8191 ||
		counts.characters > 65_535
	)
		throw new LexiconFault("has impossible counts");
	return counts;
}

function syllablesOf(
	{ syllableNames }: LexiconSections,
	counts: LexiconCounts,
): string[] {
	const names = String.fromCharCode(...syllableNames.subarray(0, 65_536));
	const syllables = names.split(" ");
	const isSorted = syllables.every(
		(it, i) => /^[a-z]{1,8}$/.test(it) && (i === 0 || it > at(i - 1)),
	);
	if (syllables.length !== counts.syllables || !isSorted)
		throw new LexiconFault("has impossible syllables");
	return syllables;

	function at(index: number): string {
		return syllables[index] as string;
	}
}

/** Children lie behind their parents, level by level, and words and characters belong to exactly one node. */
function checkTree(sections: LexiconSections, counts: LexiconCounts): void {
	const { childFrom, wordFrom, wordLogp, nodeSyllable } = sections;
	const rising =
		isRising(childFrom, 1, counts.nodes) && isRising(wordFrom, 0, counts.words);
	if (!rising) throw new LexiconFault("has impossible nodes");
	let units = 0;
	let depth = 0;
	let levelEnd = 1;
	for (let node = 0; node < counts.nodes; node++) {
		if (node === levelEnd) {
			depth++;
			levelEnd = childFrom[node] as number;
		}
		const from = childFrom[node] as number;
		const to = childFrom[node + 1] as number;
		// the first node of an empty level would never end it
		if (from <= node || depth > wordLengthMax)
			throw new LexiconFault("has impossible nodes");
		for (let child = from; child < to; child++) {
			const syllable = nodeSyllable[child] as number;
			const before = child > from ? (nodeSyllable[child - 1] as number) : -1;
			if (syllable >= counts.syllables || syllable <= before)
				throw new LexiconFault("has impossible nodes");
		}
		const words = (wordFrom[node + 1] as number) - (wordFrom[node] as number);
		units += words * depth;
	}
	if (units !== counts.units || (wordFrom[1] as number) > 0)
		throw new LexiconFault("has impossible words");
	for (const logp of wordLogp)
		if (!(logp >= wordLogpMin && logp <= 0))
			throw new LexiconFault("has impossible probabilities");
}

function checkReadings(sections: LexiconSections, counts: LexiconCounts): void {
	const { characters, readings, readingFrom } = sections;
	const sorted = characters.every(
		(it, i) => i === 0 || it > (characters[i - 1] as number),
	);
	const known = readings.every(
		(it) => it >> 3 < counts.syllables && (it & 7) >= 1 && (it & 7) <= 5,
	);
	if (!sorted || !known || !isRising(readingFrom, 0, counts.readings))
		throw new LexiconFault("has impossible readings");
}

/** From `first` to `last`, never falling. */
function isRising(numbers: Uint32Array, first: number, last: number): boolean {
	if (numbers[0] !== first || numbers.at(-1) !== last) return false;
	for (let i = 1; i < numbers.length; i++)
		if ((numbers[i] as number) < (numbers[i - 1] as number)) return false;
	return true;
}
