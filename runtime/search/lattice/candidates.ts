/**
 * The texts among which a segment's text is chosen: the recognizer's own alternatives, and the best paths through a lattice of what the syllable
 * recognizer heard. Each comes with what can be said of it without audio.
 */
import type { Lexicon } from "../../text/zh/word-source.js";
import {
	type LatticeTextCounts,
	type SearchedLattice,
	searchLattice,
} from "./lattice-paths.js";
import type { LatticePath } from "./lattice-search.js";
import { type FurtherWords, segmentationLogp } from "./segmentation.js";
import type { SlotOptions } from "./slot-options.js";
import { type Slot, SoundAligner } from "./slots.js";
import { isHan, type SpokenText, spokenText } from "./spoken-text.js";
import type { RecognizedSyllable, WantedSyllable } from "./syllables.js";
import { wantedSyllables } from "./wanted-syllables.js";
import { TextWriter } from "./written-text.js";

/** A text that a recognizer found. */
export interface RecognizedText {
	readonly text: string;
	/** Natural log-probability of its tokens together. */
	readonly logp: number;
}

export interface Candidate {
	/** As it is written: simplified, with the marks and numbers of the recognizer's text. */
	readonly text: string;
	/** As it is spoken. */
	readonly units: readonly string[];
	/** What the syllable recognizer is asked to score. */
	readonly wanted: readonly WantedSyllable[];
	/** Feature `segmentation` of the joint score. */
	readonly segmentation: number;
	/** Feature `changed` of the joint score. */
	readonly changed: number;
	/** Score of its best path through the lattice; undefined if it was not found there. */
	readonly latticeScore: number | undefined;
	readonly from: "recognizer" | "lattice" | "swap";
}

export interface CandidateOptions extends LatticeTextCounts {
	/** Alternatives of the recognizer that are candidates; all of them vote. */
	readonly alternatives: number;
}

export const candidateOptions: CandidateOptions = {
	alternatives: 16,
	latticeTexts: 20,
	secondLatticeTexts: 8,
};

/** For texts with words that neither the lexicon nor the recognizer's texts need have. */
export interface FurtherTexts {
	readonly writer?: TextWriter;
	readonly words?: FurtherWords;
}

/** What the candidates of a segment were made of. */
export interface LatticeParts {
	readonly slots: readonly Slot[];
	readonly options: readonly SlotOptions[];
	readonly lexicon: Lexicon;
	readonly aligner: SoundAligner;
	/** The recognizer's. */
	readonly texts: readonly SpokenText[];
}

/** The candidates of one segment. */
export class CandidateTexts {
	readonly #syllables: readonly RecognizedSyllable[];
	readonly #lexicon: Lexicon;
	/** The recognizer's own text first. */
	readonly candidates: readonly Candidate[];
	readonly #lattice: Omit<SearchedLattice, "paths">;
	readonly #aligner: SoundAligner;
	readonly #spoken: readonly SpokenText[];
	readonly #writer: TextWriter;
	readonly #recognized: readonly string[];
	/** By unit of the own text: how it is mostly read. */
	readonly #ownSounds: readonly string[];
	/** By unit of the own text: the syllable recognizer heard it too. */
	readonly #agreed: readonly boolean[];

	/** @param alternatives the recognizer's texts, its own choice first; at least one. */
	constructor(
		syllables: readonly RecognizedSyllable[],
		alternatives: readonly RecognizedText[],
		lexicon: Lexicon,
		options: CandidateOptions = candidateOptions,
	) {
		this.#syllables = syllables;
		this.#lexicon = lexicon;
		this.#aligner = new SoundAligner(lexicon);
		this.#recognized = syllables.map((it) => it.base);
		this.#spoken = alternatives.map((it) => spokenText(it.text));
		this.#writer = new TextWriter(this.#spoken);
		const own = this.#spoken[0]?.units ?? [];
		this.#ownSounds = own.map((it) => this.#aligner.firstReading(it));
		this.#agreed = this.#agreedUnits();
		const found = new Map<string, Candidate>();
		this.#spoken.slice(0, options.alternatives).forEach(({ units }, i) => {
			// an empty text is worth a comparison only if it is the recognizer's own
			if (i === 0 || units.length > 0) this.#add(found, units, "recognizer");
		});
		const { paths, ...lattice } = searchLattice(
			syllables,
			this.#spoken.map(({ units }, i) => ({
				units,
				logp: alternatives[i]?.logp ?? 0,
			})),
			this.#aligner,
			lexicon,
			options,
		);
		this.#lattice = lattice;
		for (const path of paths)
			this.#add(found, unitsOf(path), "lattice", path.score);
		this.candidates = [...found.values()];
	}

	/** What the lattice took, in steps; about `latticeStepsMax` at most. */
	get latticeSteps(): number {
		return this.#lattice.steps;
	}

	/** A further text, made of others. */
	candidate(
		units: readonly string[],
		from: Candidate["from"] = "swap",
		latticeScore?: number,
		{ writer = this.#writer, words }: FurtherTexts = {},
	): Candidate {
		let text: string | undefined;
		return {
			// most candidates are given up before anybody reads them
			get text() {
				text ??= writer.write(units);
				return text;
			},
			units,
			wanted: wantedSyllables(
				units,
				this.#syllables,
				this.#aligner,
				this.#lexicon,
			),
			segmentation: segmentationLogp(units, this.#lexicon, words),
			changed: this.#changedUnits(units),
			latticeScore,
			from,
		};
	}

	/** For further texts; without slots if the lattice was not searched. */
	get parts(): LatticeParts {
		return {
			slots: this.#lattice.slots,
			options: this.#lattice.options,
			lexicon: this.#lexicon,
			aligner: this.#aligner,
			texts: this.#spoken,
		};
	}

	#add(
		found: Map<string, Candidate>,
		units: readonly string[],
		from: Candidate["from"],
		latticeScore?: number,
	): void {
		const key = units.join(" ");
		const known = found.get(key);
		if (!known) found.set(key, this.candidate(units, from, latticeScore));
		else if (known.latticeScore === undefined && latticeScore !== undefined)
			found.set(key, { ...known, latticeScore });
	}

	#agreedUnits(): boolean[] {
		const units = this.#spoken[0]?.units ?? [];
		const agreed = units.map(() => false);
		for (const { row, column } of this.#aligner.align(
			this.#recognized,
			units,
		)) {
			if (row < 0 || column < 0) continue;
			const syllable = this.#lexicon.syllableNumber(
				this.#recognized[row] as string,
			);
			const readings = this.#aligner.readings(units[column] as string);
			agreed[column] = readings.some((it) => it.syllable === syllable);
		}
		return agreed;
	}

	#changedUnits(units: readonly string[]): number {
		const own = this.#spoken[0]?.units ?? [];
		let changed = 0;
		for (const { row, column } of this.#aligner.align(this.#ownSounds, units))
			if (row >= 0 && this.#agreed[row] && own[row] !== units[column])
				changed++;
		return changed;
	}
}

function unitsOf(path: LatticePath): string[] {
	const words: string[] = [];
	for (let it: LatticePath | undefined = path; it?.before; it = it.before)
		words.push(it.word);
	return words
		.reverse()
		.flatMap((it) => (isHan(it.slice(0, 1)) ? [...it] : it === "" ? [] : [it]));
}
