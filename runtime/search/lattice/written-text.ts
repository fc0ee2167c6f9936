/**
 * A text from the lattice as it is written: with the marks of the recognizer's text, and exactly like it wherever nothing is changed.
 */
import { type Edit, editText } from "../../text/edits.js";
import { writeNumbers } from "../../text/zh/write-numbers.js";
import { align } from "./alignment.js";
import { isHan, type Piece, type SpokenText } from "./spoken-text.js";

/** A number of several characters, or a word in another script, and how some text wrote it. */
interface Spelling {
	readonly units: readonly string[];
	readonly written: string;
}

/** Two units in different scripts are no partners if there are others. */
const otherScriptCost = 1.4;

/** Writes texts of one segment. */
export class TextWriter {
	readonly #texts: readonly SpokenText[];
	/** By first unit, the longest first. */
	readonly #spellings = new Map<string, Spelling[]>();

	/** Some text writes numbers in digits. */
	readonly #usesDigits: boolean;

	/** @param texts the one whose marks are kept first; what it does not have is written as another one does. */
	constructor(texts: readonly SpokenText[]) {
		this.#texts = texts;
		for (const { pieces, units } of texts)
			for (const piece of pieces) this.#learn(piece, units);
		this.#usesDigits = texts.some(({ pieces }) =>
			pieces.some((it) => /\d/.test(it.written)),
		);
		for (const list of this.#spellings.values())
			list.sort((one, other) => other.units.length - one.units.length);
	}

	write(units: readonly string[]): string {
		const base = this.#texts[0];
		if (!base) return this.#spell(units);
		const partners = partnersOf(base.units, units);
		let text = "";
		let at = 0;
		let endsInGap = false;
		const changed: Edit[] = [];
		const addGap = (gap: string, isFirst: boolean) => {
			// what was between two marks is gone
			if (gap === "" || endsInGap || (text === "" && !isFirst)) return;
			text += gap;
			endsInGap = true;
		};
		const addUntil = (to: number, written?: string) => {
			if (to <= at) return;
			const added = written ?? this.#spell(units.slice(at, to));
			const from = text.length;
			text += added;
			if (written === undefined)
				changed.push({ from, to: text.length, text: added });
			at = to;
			endsInGap = false;
		};
		base.pieces.forEach((piece, index) => {
			const found = partners
				.slice(piece.unitFrom, piece.unitTo)
				.filter((it) => it >= 0);
			const [from, last] = [found[0], found.at(-1)];
			if (from !== undefined) addUntil(from); // units that were added before it
			addGap(piece.gap, index === 0);
			if (from === undefined || last === undefined) return;
			const spoken = base.units.slice(piece.unitFrom, piece.unitTo);
			const isKept =
				last - from + 1 === spoken.length && isAt(spoken, units, from);
			addUntil(last + 1, isKept ? piece.written : undefined);
		});
		addUntil(units.length);
		addGap(base.end, base.pieces.length === 0);
		return this.#usesDigits ? withDigits(text, changed) : text;
	}

	#learn(piece: Piece, spoken: readonly string[]): void {
		const units = spoken.slice(piece.unitFrom, piece.unitTo);
		const [first] = units;
		if (first === undefined || (units.length === 1 && isHan(first))) return;
		const list = this.#spellings.get(first) ?? [];
		this.#spellings.set(first, list);
		const isKnown = list.some(
			(it) => it.units.length === units.length && isAt(units, it.units, 0),
		);
		if (!isKnown) list.push({ units, written: piece.written });
	}

	#spell(units: readonly string[]): string {
		let text = "";
		for (let at = 0; at < units.length; ) {
			const unit = units[at] as string;
			const found = this.#spellings
				.get(unit)
				?.find((it) => isAt(it.units, units, at));
			text += found?.written ?? unit;
			at += found?.units.length ?? 1;
		}
		return text;
	}
}

/** Numbers in digits, where they are entirely in changed parts of the text. */
function withDigits(text: string, changed: readonly Edit[]): string {
	if (changed.length === 0) return text;
	const joined: { from: number; to: number }[] = [];
	for (const { from, to } of changed) {
		const last = joined.at(-1);
		if (last?.to === from) last.to = to;
		else joined.push({ from, to });
	}
	const edits = writeNumbers(text).filter((edit) =>
		joined.some(({ from, to }) => edit.from >= from && edit.to <= to),
	);
	return editText(text, edits);
}

/** Whether all of `wanted` is in `units` at a position. */
function isAt(
	wanted: readonly string[],
	units: readonly string[],
	at: number,
): boolean {
	return wanted.every((it, i) => units[at + i] === it);
}

/** @returns for each unit of the one, the position of its partner in the other, or -1. */
function partnersOf(
	one: readonly string[],
	other: readonly string[],
): number[] {
	const isForeign = one.map((it) => !isHan(it));
	const isOtherForeign = other.map((it) => !isHan(it));
	const pairs = align(one.length, other.length, (row, from, to, costs) => {
		for (let column = from; column < to; column++)
			if (one[row] === other[column]) costs[column] = 0;
			else
				costs[column] =
					isForeign[row] === isOtherForeign[column] ? 1 : otherScriptCost;
	});
	const partners = one.map(() => -1);
	for (const { row, column } of pairs)
		if (row >= 0 && column >= 0) partners[row] = column;
	return partners;
}
