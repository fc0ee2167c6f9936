/**
 * From hypotheses that change as speech grows to a text that hardly does: what is shown of a segment while it is open.
 *
 * LocalAgreement-2 (Macháček, Dabre and Bojar 2023, "Turning Whisper into Real-Time Transcription System"): what two successive hypotheses say alike
 * is committed, but for the last word of it. Its tokens are forced on the next hypothesis, which so costs only what is new.
 *
 * INVARIANTS
 * - The shown text grows by what two hypotheses say, or one that is very sure, but for its last word: the sound of that one may not be whole yet.
 * - It is only taken back where three successive hypotheses say something else, of which the last two agree; what is committed, where six do.
 * - What was heard up to a pause only adds: if it says something else, the final text does so soon enough.
 * - Marks never count as a difference, and none stands at the end: the next word decides whether there is one.
 *
 * Pure: compared are units of text, words where letters make words, single characters in Chinese and Japanese.
 */

import { alike, type Unit, unitsOf, written } from "./text-units.js";

/** What one decode of the open segment said. */
export interface StreamingHypothesis {
	readonly text: string;
	readonly tokens: readonly number[];
	readonly confidence: number;
	/** It was heard up to a pause: its last word is whole. */
	readonly whole?: boolean;
	/** The next one will be long in coming. */
	readonly rare?: boolean;
}

/**
 * Of a hypothesis' end, so much is not shown before the next one says the same: a word of letters, or a word's length of characters, but never more
 * than half of a short text. Of 476 messages over 39 segments (zh, ja, en) 4.2 % took something back with four characters, 5.4 % with three, 7.7 % with
 * two, 12.3 % with one; what is shown then lags 0.5 characters more.
 */
const charactersHeldBack = 4;
/** The same of what two hypotheses say: 4.2 % of the characters were taken back with one, 4.0 % with two, 3.0 % with three. */
const charactersUnsettled = 3;
/** Of what was agreed on, so many tokens stay open: the last word may still grow. */
const tokensLeftOpen = 2;

const letters = /\p{Script=Latin}/u;
/** An opening bracket before the first unit. */
const openingPattern = /^[\p{Ps}\p{Pi}]*/u;

/** A hypothesis less sure than this is not shown before the next one agrees: 6.6 % of the characters were taken back with 0.5, 3.2 % with 0.9. */
const confidenceMin = 0.9;
/** Where the next one is far off, or this one was heard up to a pause and with the whole beam. */
const confidenceMinAlone = 0.5;

/** So often in a row hypotheses contradict what is shown before it is taken back, where the last two agree, */
const contradictionsMin = 3;
/** and where they don't, or it is committed. */
const contradictionsMax = 6;

export class StreamingAgreement {
	#opening: string;
	#shown: readonly Unit[];
	#committed = 0;
	#last: { units: readonly Unit[]; tokens: readonly number[] } | undefined;
	#contradictions = 0;
	#prefixTokens: readonly number[] = [];

	/** @param text shown already, by an agreement that this one goes on from. */
	constructor(text = "") {
		this.#opening = openingPattern.exec(text)?.[0] ?? "";
		this.#shown = unitsOf(text);
	}

	/** Tokens to force on the next hypothesis. */
	get prefixTokens(): readonly number[] {
		return this.#prefixTokens;
	}

	/** What is shown now. */
	get text(): string {
		return this.#opening + written(this.#shown);
	}

	/** The part of it that two hypotheses agreed on. */
	get committedText(): string {
		return this.#opening + written(this.#shown.slice(0, this.#committed));
	}

	accept(hypothesis: StreamingHypothesis): void {
		const units = unitsOf(hypothesis.text);
		if (units.length === 0) return; // nothing heard yet is no disagreement
		if (hypothesis.whole && this.#isContradicted(units)) return; // the final text will say so
		const agreed = this.#last ? alike(this.#last.units, units) : 0;
		const stands = hypothesis.whole || hypothesis.rare;
		const least = stands ? confidenceMinAlone : confidenceMin;
		const alone = hypothesis.confidence < least ? 0 : units.length;
		this.#show(hypothesis.text, units, {
			agreed,
			sure: hypothesis.whole
				? Math.max(agreed, alone)
				: Math.max(
						Math.min(agreed, units.length - this.#unsettled(units)),
						alone - partlySpoken(units),
					),
		});
		const same = alike(this.#shown, units);
		// another beginning than the committed one is not what the next hypothesis goes on from
		if (same >= this.#committed) {
			const both = Math.min(agreed, same);
			this.#commit(both - leftOpen(units, both), hypothesis.tokens);
		}
		this.#last = { units, tokens: hypothesis.tokens };
	}

	/**
	 * Parts what is shown behind its first units, where they are committed.
	 * @returns undefined where they are not.
	 */
	splitCommitted(units: number): { before: string; after: string } | undefined {
		if (units > this.#committed) return undefined;
		return {
			before: this.#opening + written(this.#shown.slice(0, units), true),
			after: written(this.#shown.slice(units)),
		};
	}

	/** Of the words of the newest hypothesis, from the first on, those that are shown. */
	shownOf<Word extends { readonly text: string }>(
		words: readonly Word[],
	): Word[] {
		let at = 0;
		let end = 0; // marks behind the last word are not shown
		for (const [i, word] of words.entries()) {
			const units = unitsOf(word.text);
			if (alike(this.#shown.slice(at), units) < units.length) break;
			at += units.length;
			if (units.length > 0) end = i + 1;
		}
		return words.slice(0, end);
	}

	#show(
		text: string,
		units: readonly Unit[],
		{ agreed, sure }: { agreed: number; sure: number },
	): void {
		const same = alike(this.#shown, units);
		if (this.#isContradicted(units)) {
			this.#contradictions++;
			const enough =
				agreed > same && same >= this.#committed
					? contradictionsMin
					: contradictionsMax;
			if (this.#contradictions < enough) return;
		} else if (sure <= this.#shown.length) {
			this.#contradictions = 0;
			return;
		}
		this.#contradictions = 0;
		if (same < this.#committed) this.#prefixTokens = [];
		if (same === 0) this.#opening = openingPattern.exec(text)?.[0] ?? "";
		// what stands keeps its spelling; the mark behind its last unit is only known now
		const kept = this.#shown
			.slice(0, same)
			.map((unit, i) =>
				i < same - 1 ? unit : { ...unit, behind: units[i]?.behind ?? "" },
			);
		const end = Math.max(sure, same);
		this.#committed = Math.min(this.#committed, same);
		this.#shown = [...kept, ...units.slice(kept.length, end)];
	}

	/** What is committed is forced from now on, whatever a hypothesis that was not forced says in between. */
	#commit(agreed: number, tokens: readonly number[]): void {
		this.#committed = Math.max(this.#committed, agreed);
		const before = this.#last?.tokens ?? [];
		let same = 0;
		while (same < before.length && before[same] === tokens[same]) same++;
		const settled = same - tokensLeftOpen;
		if (settled > this.#prefixTokens.length)
			this.#prefixTokens = tokens.slice(0, settled);
	}

	/** Units at the end that two may agree on and the third not. The first word is waited for. */
	#unsettled(units: readonly Unit[]): number {
		if (this.#shown.length === 0) return 1;
		return Math.min(charactersUnsettled, leftOpen(units, units.length));
	}

	#isContradicted(units: readonly Unit[]): boolean {
		const same = alike(this.#shown, units);
		return same < this.#shown.length && same < units.length;
	}
}

/** How many units at the end may be heard by half only. */
function partlySpoken(units: readonly Unit[]): number {
	const most = leftOpen(units, units.length);
	return most === 1 ? 1 : Math.min(most, Math.floor(units.length / 2));
}

/** A word's length before the unit at `end`. */
function leftOpen(units: readonly Unit[], end: number): number {
	const last = units[end - 1];
	return !last || letters.test(last.body) ? 1 : charactersHeldBack;
}
