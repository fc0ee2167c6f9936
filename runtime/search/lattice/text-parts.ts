/**
 * The parts of a text from the lattice, by the pieces of the recognizer's text: which of them are written as they were, and which marks stand between them.
 */
import { isNumeral } from "../../text/zh/numerals.js";
import { align } from "./alignment.js";
import { isHan, type SpokenText } from "./spoken-text.js";

/** Two units in different scripts are no partners if there are others. */
const otherScriptCost = 1.4;

/** The units of a text, and before which of them marks or spaces stand. */
export interface DividedUnits {
	readonly units: readonly string[];
	readonly gaps: ReadonlySet<number>;
}

export function withGaps(
	units: readonly string[],
	gaps: readonly (readonly [at: number, gap: string])[],
): DividedUnits {
	const divided = gaps.flatMap(([at, gap]) => (gap === "" ? [] : [at]));
	return { units, gaps: new Set(divided) };
}

/** Units of a new text that are written together. */
export interface Part {
	readonly from: number;
	readonly to: number;
	/** Marks and spaces before it. */
	readonly gap: string;
	/** Position of the base's piece, -1 for units that were added. */
	readonly piece: number;
	/** As in the base; undefined for what is changed. */
	readonly written: string | undefined;
}

export interface DividedText {
	readonly parts: readonly Part[];
	/** Marks behind the last part. */
	readonly end: string;
	readonly spoken: DividedUnits;
}

/** The parts of a new text, by the pieces of the base. */
export function partsOf(
	base: SpokenText,
	units: readonly string[],
): DividedText {
	const partners = partnersOf(base.units, units);
	const parts: Part[] = [];
	let gap = "";
	let at = 0;
	const addGap = (next: string, isFirst: boolean) => {
		// what was between two marks is gone
		if (gap === "" && (parts.length > 0 || isFirst)) gap = next;
	};
	const addUntil = (to: number, piece: number, written?: string) => {
		if (to <= at) return;
		parts.push({ from: at, to, gap, piece, written });
		at = to;
		gap = "";
	};
	base.pieces.forEach((piece, index) => {
		const found = partners
			.slice(piece.unitFrom, piece.unitTo)
			.filter((it) => it >= 0);
		const [from, last] = [found[0], found.at(-1)];
		if (from !== undefined) addUntil(from, -1); // units that were added before it
		addGap(piece.gap, index === 0);
		if (from === undefined || last === undefined) return;
		const spoken = base.units.slice(piece.unitFrom, piece.unitTo);
		const isKept =
			last - from + 1 === spoken.length && isAt(spoken, units, from);
		addUntil(last + 1, index, isKept ? piece.written : undefined);
	});
	addUntil(units.length, -1);
	addGap(base.end, base.pieces.length === 0);
	const spoken = withGaps(
		units,
		parts.map((it) => [it.from, it.gap]),
	);
	return { parts: withWholeNumbers(parts, base, spoken), end: gap, spoken };
}

/** A number in digits is not kept where it has become a part of another one: 15 in 二十五. */
function withWholeNumbers(
	parts: readonly Part[],
	base: SpokenText,
	spoken: DividedUnits,
): readonly Part[] {
	const before = withGaps(
		base.units,
		base.pieces.map((it) => [it.unitFrom, it.gap]),
	);
	const isPartOfNew = (one: Part | undefined, other: Part | undefined) => {
		if (!one || !other || !isInsideNumber(spoken, other.from)) return false;
		// the base has another number there as well
		const isNeighbour = one.piece >= 0 && other.piece === one.piece + 1;
		const at = base.pieces[other.piece]?.unitFrom ?? 0;
		return !(isNeighbour && isInsideNumber(before, at));
	};
	return parts.map((part, i) => {
		const isDigits = /\d/.test(part.written ?? "");
		const isPart =
			isPartOfNew(parts[i - 1], part) || isPartOfNew(part, parts[i + 1]);
		return isDigits && isPart ? { ...part, written: undefined } : part;
	});
}

/** Whether numerals are at both sides of a place. */
export function areNumerals(
	{ units, gaps }: DividedUnits,
	at: number,
): boolean {
	return isNumeral(units[at - 1]) && isNumeral(units[at]) && !gaps.has(at);
}

/** Whether both sides of a place are of one number: numerals, or one of them the point before or behind which there is another. */
function isInsideNumber(spoken: DividedUnits, at: number): boolean {
	const { units, gaps } = spoken;
	if (areNumerals(spoken, at)) return true;
	const point = units[at] === "点" ? at : at - 1;
	return (
		units[point] === "点" &&
		isNumeral(units[point - 1]) &&
		isNumeral(units[point + 1]) &&
		!gaps.has(point) &&
		!gaps.has(point + 1)
	);
}

/** Whether all of `wanted` is in `units` at a position. */
export function isAt(
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
