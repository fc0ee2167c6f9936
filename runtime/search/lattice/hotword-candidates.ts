/**
 * Texts in which a hotword stands in the place of what a text without hotwords has there: found by a recognizer that favours them, or because they sound like
 * what was heard. All else stays as it is, since a list of which no word is said must not change a text.
 */
import { differingSpans } from "./alignment.js";
import type { Candidate, CandidateTexts, LatticeParts } from "./candidates.js";
import { hotwordPlaces, swapsOfPlaces } from "./hotword-places.js";
import type { HotwordWords } from "./hotword-words.js";
import type { Swap } from "./span-swaps.js";
import { type SpokenText, spokenText } from "./spoken-text.js";
import { TextWriter } from "./written-text.js";

/** Neighbouring differences that may be one hotword, and its characters with what is between them. */
const joinedMax = 3;
const spanMax = 12;

export class HotwordCandidates {
	readonly #texts: CandidateTexts;
	readonly #hotwords: HotwordWords;
	readonly #parts: LatticeParts;
	readonly #favoured: readonly SpokenText[];
	readonly #further: {
		readonly writer: TextWriter;
		readonly words: HotwordWords;
	};

	/** @param favoured texts in which the recognizer favoured hotwords, the best first. */
	constructor(
		texts: CandidateTexts,
		hotwords: HotwordWords,
		favoured: readonly string[],
	) {
		this.#texts = texts;
		this.#hotwords = hotwords;
		this.#parts = texts.parts;
		this.#favoured = favoured.map(spokenText);
		const writer = new TextWriter([...this.#parts.texts, ...this.#favoured]);
		this.#further = { writer, words: hotwords };
	}

	/** A text with its hotwords as words. */
	candidate(units: readonly string[]): Candidate {
		return this.#texts.candidate(units, "swap", undefined, this.#further);
	}

	/** As the recognizer writes it. */
	write(units: readonly string[]): string {
		return this.#further.writer.write(units);
	}

	/** Differences to the favoured texts, alone and with their neighbours: shorter ones first. */
	favouredSwaps(units: readonly string[], most: number): Swap[] {
		const swaps = new Map<string, Swap>();
		for (let joined = 1; joined <= joinedMax; joined++)
			for (const { units: other } of this.#favoured) {
				const spans = differingSpans(units, other);
				spans.forEach(({ from, otherFrom }, i) => {
					const last = spans[i + joined - 1];
					if (!last || swaps.size >= most) return;
					const swap = {
						from,
						to: last.to,
						units: other.slice(otherFrom, last.otherTo),
					};
					const length = Math.max(last.to - from, swap.units.length);
					const key = `${from} ${last.to} ${swap.units.join(" ")}`;
					if (length <= spanMax) swaps.set(key, swap);
				});
			}
		return [...swaps.values()];
	}

	/** Hotwords that sound like a part of what was heard: those that sound most like it first. */
	soundSwaps(units: readonly string[], most: number): Swap[] {
		const { slots, options, lexicon, aligner } = this.#parts;
		const places = hotwordPlaces(options, this.#hotwords, lexicon);
		const sounds = slots.map((it) => it.sound);
		return swapsOfPlaces(places, aligner.align(sounds, units), units, most);
	}
}
