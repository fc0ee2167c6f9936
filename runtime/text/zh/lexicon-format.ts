/**
 * Layout of a lexicon file: a header of 32-bit integers, then sections of typed arrays, each aligned to 4 bytes, little-endian.
 *
 * header: magic (2 integers), version, bytes of syllable names, number of syllables, nodes, words, UTF-16 units of words, characters, readings
 *
 * | section       | type    | length         | content                                                                        |
 * |---------------|---------|----------------|--------------------------------------------------------------------------------|
 * | syllableNames | uint8   | bytes          | ASCII, separated by spaces, sorted                                              |
 * | childFrom     | uint32  | nodes + 1      | first child of a node; children of node n are childFrom[n] to childFrom[n + 1]   |
 * | wordFrom      | uint32  | nodes + 1      | first word of a node, in the same way                                           |
 * | wordLogp      | float32 | words          | natural log-probability, descending within a node                               |
 * | readingFrom   | uint32  | characters + 1 | first reading of a character                                                    |
 * | nodeSyllable  | uint16  | nodes          | syllable that leads to the node, ascending among siblings; 0 for the root        |
 * | wordUnits     | uint16  | units          | texts of the words, as many units as the node is deep; no offsets are needed     |
 * | characters    | uint16  | characters     | UTF-16 units, ascending                                                         |
 * | readings      | uint16  | readings       | syllable * 8 + tone                                                             |
 *
 * Nodes are in breadth-first order, the root first, and words in the order of their nodes.
 */

/** "zhlx" and "icon". */
export const magic = [0x786c687a, 0x6e6f6369] as const;
export const version = 1;
export const headerLength = 10;

export interface LexiconCounts {
	readonly syllableBytes: number;
	readonly syllables: number;
	readonly nodes: number;
	readonly words: number;
	readonly units: number;
	readonly characters: number;
	readonly readings: number;
}

export interface LexiconSections {
	readonly syllableNames: Uint8Array;
	readonly childFrom: Uint32Array;
	readonly wordFrom: Uint32Array;
	readonly wordLogp: Float32Array;
	readonly readingFrom: Uint32Array;
	readonly nodeSyllable: Uint16Array;
	readonly wordUnits: Uint16Array;
	readonly characters: Uint16Array;
	readonly readings: Uint16Array;
}

export function headerOf(counts: LexiconCounts): number[] {
	return [
		...magic,
		version,
		counts.syllableBytes,
		counts.syllables,
		counts.nodes,
		counts.words,
		counts.units,
		counts.characters,
		counts.readings,
	];
}

/** @returns the size of the file in bytes; a plain number, however large the counts are. */
export function bytesOf(counts: LexiconCounts): number {
	return (
		headerLength * 4 +
		aligned(counts.syllableBytes) +
		4 * (counts.nodes + 1) * 2 +
		4 * counts.words +
		4 * (counts.characters + 1) +
		aligned(2 * counts.nodes) +
		aligned(2 * counts.units) +
		aligned(2 * counts.characters) +
		aligned(2 * counts.readings)
	);
}

/** Views of the sections; `buffer` must have `bytesOf(counts)` bytes from `offset`, which is a multiple of 4. */
export function sectionsOf(
	buffer: ArrayBufferLike,
	offset: number,
	counts: LexiconCounts,
): LexiconSections {
	let at = offset + headerLength * 4;
	const take = (bytes: number): number => {
		const from = at;
		at += aligned(bytes);
		return from;
	};
	const { nodes, words, units, characters, readings, syllableBytes } = counts;
	return {
		syllableNames: new Uint8Array(buffer, take(syllableBytes), syllableBytes),
		childFrom: new Uint32Array(buffer, take(4 * nodes + 4), nodes + 1),
		wordFrom: new Uint32Array(buffer, take(4 * nodes + 4), nodes + 1),
		wordLogp: new Float32Array(buffer, take(4 * words), words),
		readingFrom: new Uint32Array(
			buffer,
			take(4 * characters + 4),
			characters + 1,
		),
		nodeSyllable: new Uint16Array(buffer, take(2 * nodes), nodes),
		wordUnits: new Uint16Array(buffer, take(2 * units), units),
		characters: new Uint16Array(buffer, take(2 * characters), characters),
		readings: new Uint16Array(buffer, take(2 * readings), readings),
	};
}

function aligned(bytes: number): number {
	return Math.ceil(bytes / 4) * 4;
}
