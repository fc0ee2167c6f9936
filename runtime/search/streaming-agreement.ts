/**
 * Derives the partial text of an open segment, which rarely changes, from hypotheses that change as the segment grows.
 *
 * LocalAgreement-2 (Macháček, Dabre and Bojar 2023, "Turning Whisper into Real-Time Transcription System"): the common beginning of two successive
 * hypotheses is committed, except for its last word. Its tokens are forced on the next hypothesis, which therefore only costs the new part.
 *
 * INVARIANTS
 * - The shown text grows by what two hypotheses have in common, or by one that is very confident, except for its last word, whose audio may be incomplete.
 * - It is only retracted after three successive hypotheses contradict it, of which the last two agree; committed text after six.
 * - A hypothesis up to a pause only extends the text: if it contradicts it, the final text corrects it soon.
 * - A hypothesis that ends with what it said before is not shown while the segment is open: it ran out of sound.
 * - Punctuation marks never count as a difference, and none is shown at the end: the next word decides whether there is one.
 *
 * Pure. The units of comparison are words where letters make words, and single characters in Chinese and Japanese.
 */

import { endsInEarlierWords } from "./repetition.js";
import { alike, type Unit, unitsOf, written } from "./text-units.js";

/** The result of one decoding of the open segment. */
export interface StreamingHypothesis {
	readonly text: string;
	readonly tokens: readonly number[];
	readonly confidence: number;
	/** The audio ended at a pause: the last word is complete. */
	readonly whole?: boolean;
	/** The next hypothesis will not follow soon. */
	readonly rare?: boolean;
}

/**
 * Characters at the end of a hypothesis that are not shown before the next one confirms them (in letters: one word), but at most half of a short text.
 * Of 476 messages over 39 segments (zh, ja, en) 4.2 % retracted something with four characters, 5.4 % with three, 7.7 % with
 * two, 12.3 % with one; the shown text then lags 0.5 characters more.
 */
const charactersHeldBack = 4;
/** The same for what two hypotheses agree on: 4.2 % of the characters were retracted with one, 4.0 % with two, 3.0 % with three. */
const charactersUnsettled = 3;
/** Tokens at the end of the agreement that are not forced: the last word may still grow. */
const tokensLeftOpen = 2;

const letters = /\p{Script=Latin}/u;
/** An opening bracket before the first unit. */
const openingPattern = /^[\p{Ps}\p{Pi}]*/u;

/** A hypothesis with less confidence is not shown before the next one agrees: 6.6 % of the characters were retracted with 0.5, 3.2 % with 0.9. */
const confidenceMin = 0.9;
/** The minimum where the next hypothesis will not follow soon, or this one ends at a pause and was decoded with the whole beam. */
const confidenceMinAlone = 0.5;

/** Successive contradictions that retract shown text, where the last two agree. */
const contradictionsMin = 3;
/** The same where they don't, or where the text is committed. */
const contradictionsMax = 6;

export class StreamingAgreement {
	#opening: string;
	#shown: readonly Unit[];
	#committed = 0;
	#last: { units: readonly Unit[]; tokens: readonly number[] } | undefined;
	#contradictions = 0;
	#prefixTokens: readonly number[] = [];

	/** @param text already shown, by a previous agreement that this one continues. */
	constructor(text = "") {
		this.#opening = openingPattern.exec(text)?.[0] ?? "";
		this.#shown = unitsOf(text);
	}

	/** Tokens to force on the next hypothesis. */
	get prefixTokens(): readonly number[] {
		return this.#prefixTokens;
	}

	/** The shown text. */
	get text(): string {
		return this.#opening + written(this.#shown);
	}

	/** The part of it that two hypotheses agreed on. */
	get committedText(): string {
		return this.#opening + written(this.#shown.slice(0, this.#committed));
	}

	accept(hypothesis: StreamingHypothesis): void {
		const units = unitsOf(hypothesis.text);
		if (units.length === 0) return; // an empty hypothesis does not contradict
		if (!hypothesis.whole && endsInEarlierWords(units)) return;
		if (hypothesis.whole && this.#isContradicted(units)) return; // the final text will correct it
		const agreed = this.#last ? alike(this.#last.units, units) : 0;
		const isAlone = hypothesis.whole || hypothesis.rare;
		const required = isAlone ? confidenceMinAlone : confidenceMin;
		const alone = hypothesis.confidence < required ? 0 : units.length;
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
		// the next hypothesis does not continue one that contradicts the committed text
		if (same >= this.#committed) {
			const both = Math.min(agreed, same);
			this.#commit(both - leftOpen(units, both), hypothesis.tokens);
		}
		this.#last = { units, tokens: hypothesis.tokens };
	}

	/**
	 * Splits the shown text after its first units, if they are committed.
	 * @returns undefined if they are not.
	 */
	splitCommitted(units: number): { before: string; after: string } | undefined {
		if (units > this.#committed) return undefined;
		return {
			before: this.#opening + written(this.#shown.slice(0, units), true),
			after: written(this.#shown.slice(units)),
		};
	}

	/** The shown ones of the newest hypothesis' words, spelled as they are shown. */
	shownOf<Word extends { readonly text: string }>(
		words: readonly Word[],
	): Word[] {
		const found: Word[] = [];
		let at = 0;
		let end = 0; // marks after the last word are not shown
		for (const word of words) {
			const units = unitsOf(word.text);
			const shown = this.#shown.slice(at, at + units.length);
			if (alike(shown, units) < units.length) break;
			at += units.length;
			found.push({ ...word, text: respelled(word.text, units, shown) });
			if (units.length > 0) end = found.length;
		}
		return found.slice(0, end);
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
		// text that stays keeps its spelling; only now is the mark after its last unit known
		const kept = this.#shown
			.slice(0, same)
			.map((unit, i) =>
				i < same - 1 ? unit : { ...unit, trailing: units[i]?.trailing ?? "" },
			);
		const end = Math.max(sure, same);
		this.#committed = Math.min(this.#committed, same);
		this.#shown = [...kept, ...units.slice(kept.length, end)];
	}

	/** Committed tokens are forced from now on, even if a hypothesis without forced tokens contradicts them in between. */
	#commit(agreed: number, tokens: readonly number[]): void {
		this.#committed = Math.max(this.#committed, agreed);
		const before = this.#last?.tokens ?? [];
		let same = 0;
		while (same < before.length && before[same] === tokens[same]) same++;
		const settled = same - tokensLeftOpen;
		if (settled > this.#prefixTokens.length)
			this.#prefixTokens = tokens.slice(0, settled);
	}

	/** Units at the end that a third hypothesis may contradict although two agree; only one before any text is shown, since the first word is urgent. */
	#unsettled(units: readonly Unit[]): number {
		if (this.#shown.length === 0) return 1;
		return Math.min(charactersUnsettled, leftOpen(units, units.length));
	}

	#isContradicted(units: readonly Unit[]): boolean {
		const same = alike(this.#shown, units);
		return same < this.#shown.length && same < units.length;
	}
}

/** Text that stays keeps its spelling: a capital or a width that came later is not shown. */
function respelled(
	text: string,
	units: readonly Unit[],
	shown: readonly Unit[],
): string {
	let spelled = "";
	let at = 0;
	for (const [i, { body }] of units.entries()) {
		const from = text.indexOf(body, at);
		spelled += text.slice(at, from) + (shown[i]?.body ?? body);
		at = from + body.length;
	}
	return spelled + text.slice(at);
}

/** How many units at the end may be spoken only partly. */
function partlySpoken(units: readonly Unit[]): number {
	const most = leftOpen(units, units.length);
	return most === 1 ? 1 : Math.min(most, Math.floor(units.length / 2));
}

/** A word's length before the unit at `end`. */
function leftOpen(units: readonly Unit[], end: number): number {
	const last = units[end - 1];
	return !last || letters.test(last.body) ? 1 : charactersHeldBack;
}
