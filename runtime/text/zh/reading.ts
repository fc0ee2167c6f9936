/**
 * Results of the Chinese number rules at a position in a text.
 */
import type { Edit } from "../edits.js";
import { type Numeral, readNumeral } from "./numerals.js";

/** The edits, and where to continue. */
export interface Reading {
	readonly edits: readonly Edit[];
	readonly to: number;
}

/** A number with a value. */
export function readAmount(text: string, at: number): Numeral | undefined {
	const number = readNumeral(text, at);
	return number && number.kind !== "unclear" ? number : undefined;
}

/** 初一 of a month or a school; 几十, 数百. */
export function isUnnumbered(text: string, at: number): boolean {
	const before = text.slice(Math.max(0, at - 2), at);
	if (before.endsWith("初")) return true;
	if (!/[十百千万亿]/.test(text[at] ?? "")) return false;
	return /几$|(?:^|[^人次总岁分件个])数$|成$/.test(before);
}

/** The number in digits. */
export function written({ from, to, digits }: Numeral): Edit {
	return { from, to, text: digits };
}
