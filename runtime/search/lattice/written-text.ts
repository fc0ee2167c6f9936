/**
 * A text from the lattice as it is written: with the marks of the recognizer's text, and exactly like it wherever nothing is changed.
 */
import { type Edit, editText } from "../../text/edits.js";
import { writeNumbers } from "../../text/zh/write-numbers.js";
import { isHan, type Piece, type SpokenText } from "./spoken-text.js";
import {
	areNumerals,
	type DividedUnits,
	isAt,
	type Part,
	partsOf,
	withGaps,
} from "./text-parts.js";

/** A number of several characters, or a word in another script, and how some text wrote it. */
interface Spelling {
	readonly units: readonly string[];
	readonly written: string;
}

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
		if (!base) return this.#spell(withGaps(units, []), 0, units.length);
		const { parts, end, spoken } = partsOf(base, units);
		let text = "";
		const changed: Edit[] = [];
		for (let i = 0; i < parts.length; ) {
			const part = parts[i++] as Part;
			const { from, gap, written } = part;
			let { to } = part;
			text += gap;
			if (written !== undefined) {
				text += written;
				continue;
			}
			// a number may be in several parts
			for (let next = parts[i]; next && !next.gap; next = parts[++i]) {
				if (next.written !== undefined) break;
				to = next.to;
			}
			const added = this.#spell(spoken, from, to);
			changed.push({
				from: text.length,
				to: text.length + added.length,
				text: added,
			});
			text += added;
		}
		text += end;
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

	#spell(spoken: DividedUnits, from: number, to: number): string {
		const { units } = spoken;
		let text = "";
		for (let at = from; at < to; ) {
			const unit = units[at] as string;
			const found = this.#spellings.get(unit)?.find((it) => {
				const end = at + it.units.length;
				if (end > to || !isAt(it.units, units, at)) return false;
				return !areNumerals(spoken, at) && !areNumerals(spoken, end);
			});
			text += found?.written ?? unit;
			at += found?.units.length ?? 1;
		}
		return text;
	}
}

/** Numbers in digits, where they are entirely in changed parts of the text. */
function withDigits(text: string, changed: readonly Edit[]): string {
	if (changed.length === 0) return text;
	const edits = writeNumbers(text).filter((edit) =>
		changed.some(({ from, to }) => edit.from >= from && edit.to <= to),
	);
	return editText(text, edits);
}
