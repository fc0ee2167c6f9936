/**
 * The slots of a lattice: the syllables that were heard, aligned with the recognizer's best text. In each slot every alternative text votes for a
 * character, or for none.
 */
import type { Lexicon, Reading } from "../../text/zh/word-source.js";
import { type AlignedPair, align, unpairedCost } from "./alignment.js";
import { soundDistance, soundOf } from "./sounds.js";
import { isHan } from "./spoken-text.js";

export interface Slot {
	/** Positions of the recognized syllables: one at most, but any number beside a word in another script. */
	readonly syllables: readonly number[];
	/** Position of the best text's unit, or -1. */
	readonly unit: number;
	/** What was heard, or else how the best text's unit is mostly read; "" where neither is known. */
	readonly sound: string;
	/** A word in another script: nothing else can be here. */
	readonly fixed: string | undefined;
	/** Probability by unit, "" for none. */
	readonly votes: ReadonlyMap<string, number>;
}

/** An alternative text's units, and its log-probability. */
export interface SpokenAlternative {
	readonly units: readonly string[];
	readonly logp: number;
}

/** A word in another script against a syllable, whatever it sounds like. */
const foreignCost = 0.45;
/** A further syllable of such a word. */
const foreignExtraCost = 0.3;

/** 嗯 and 呣 as dictionaries read them. Syllable recognizers write a hum as a syllable with a vowel (嗯 as "en"), and have no symbols for these. */
const hums = new Set(["ng", "m"]);

/** Aligns syllables and units by sound, remembering how characters sound. */
export class SoundAligner {
	readonly #lexicon: Lexicon;
	readonly #sounds = new Map<string, Uint16Array>();
	readonly #readings = new Map<string, readonly Reading[]>();

	constructor(lexicon: Lexicon) {
		this.#lexicon = lexicon;
	}

	/** @param syllables toneless, "" for an unknown one. */
	align(
		syllables: readonly string[],
		units: readonly string[],
	): readonly AlignedPair[] {
		const recognized = syllables.map((it) => soundOf(it).number);
		const extra = new Float32Array(units.length + 1).fill(unpairedCost);
		const sounds = units.map((unit, column) => {
			if (!isHan(unit)) extra[column + 1] = foreignExtraCost;
			return this.#soundsOf(unit);
		});
		return align(
			recognized.length,
			units.length,
			(row, from, to, costs) => {
				const sound = recognized[row] as number;
				for (let column = from; column < to; column++)
					costs[column] = nearest(sound, sounds[column] as Uint16Array);
			},
			extra,
		);
	}

	/** The readings of a character; see `Lexicon`. Hums only where it has no others. */
	readings(character: string): readonly Reading[] {
		const known = this.#readings.get(character);
		if (known) return known;
		const all = this.#lexicon.readings(character);
		const { syllables } = this.#lexicon;
		const voiced = all.filter(
			(it) => !hums.has(syllables[it.syllable] as string),
		);
		const readings = voiced.length > 0 ? voiced : all;
		this.#readings.set(character, readings);
		return readings;
	}

	/** The most common reading of a character, or "". */
	firstReading(character: string): string {
		const [reading] = this.readings(character);
		return reading ? (this.#lexicon.syllables[reading.syllable] as string) : "";
	}

	/** Numbers of the sounds of a character's readings, the most common first; none for other units. */
	#soundsOf(unit: string): Uint16Array {
		const known = this.#sounds.get(unit);
		if (known) return known;
		const { syllables } = this.#lexicon;
		const numbers = this.readings(unit).map(
			(it) => soundOf(syllables[it.syllable] ?? "").number,
		);
		const sounds = Uint16Array.from(new Set(numbers));
		this.#sounds.set(unit, sounds);
		return sounds;
	}
}

function nearest(sound: number, sounds: Uint16Array): number {
	// a rare character that nobody can read is like a word in another script
	if (sounds.length === 0) return foreignCost;
	let least = 1;
	for (let i = 0; i < sounds.length; i++)
		least = Math.min(least, soundDistance(sounds[i] as number, sound));
	return least;
}

/** @param alternatives the best first, at least one. */
export function slotsOf(
	syllables: readonly string[],
	alternatives: readonly SpokenAlternative[],
	aligner: SoundAligner,
): Slot[] {
	const units = alternatives[0]?.units ?? [];
	const places = placesOf(aligner.align(syllables, units), units);
	const sounds = places.map(({ rows, unit, fixed }) => {
		if (fixed) return "";
		const [first] = rows;
		return first !== undefined
			? (syllables[first] as string)
			: aligner.firstReading(units[unit] as string);
	});
	const votes = places.map(() => new Map<string, number>());
	const weights = softmax(alternatives.map((it) => it.logp));
	alternatives.forEach(({ units: voted }, index) => {
		for (const { row, column } of aligner.align(sounds, voted)) {
			if (row < 0) continue;
			const unit = column < 0 ? "" : (voted[column] as string);
			const here = votes[row] as Map<string, number>;
			here.set(unit, (here.get(unit) ?? 0) + (weights[index] as number));
		}
	});
	return places.map(({ rows, unit, fixed }, i) => ({
		syllables: rows,
		unit,
		sound: sounds[i] as string,
		fixed,
		votes: votes[i] as Map<string, number>,
	}));
}

interface Place {
	readonly rows: number[];
	readonly unit: number;
	readonly fixed: string | undefined;
}

/** Syllables that belong to no character are taken by a word in another script beside them. */
function placesOf(
	pairs: readonly AlignedPair[],
	units: readonly string[],
): Place[] {
	const places: Place[] = [];
	for (const { row, column } of pairs) {
		const unit = units[column];
		const rows = row < 0 ? [] : [row];
		const before = places.at(-1);
		if (unit === undefined) {
			if (before?.fixed !== undefined) before.rows.push(...rows);
			else places.push({ rows, unit: -1, fixed: undefined });
			continue;
		}
		const fixed = isHan(unit) ? undefined : unit;
		if (fixed !== undefined)
			while (places.at(-1)?.unit === -1)
				rows.unshift(...(places.pop() as Place).rows);
		places.push({ rows, unit: column, fixed });
	}
	return places;
}

function softmax(logps: readonly number[]): number[] {
	const most = Math.max(...logps);
	const weights = logps.map((it) => Math.exp(it - most));
	const total = weights.reduce((sum, it) => sum + it, 0);
	return weights.map((it) => it / total);
}
