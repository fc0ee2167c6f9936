/** What holds of whatever is drawn: tried on fixed seeds by the default suite (holds.ts), and on as many as there is time for by scripts/fuzz. */
import type { Test } from "tap";
import type { Random } from "./random.js";

export interface Property<Case = unknown> {
	/** As scripts/fuzz knows it: the folder of its tests, and its subject. */
	readonly name: string;
	/** What holds, as a test's name says it. */
	readonly promise: string;
	/** All that is left to chance is drawn here, so that a case can be shown, drawn again and made smaller. Draws of 0 should make the simplest case. */
	draw(random: Random): Case;
	/**
	 * @returns what kind of case it was, where somebody wants to know how often each came.
	 * @throws whatever does not hold.
	 */
	check(one: Case): Outcome | Promise<Outcome>;
	/** Of a target's turn in scripts/fuzz; less than 1 for what is slow and seldom news. */
	readonly share?: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing
export type Outcome = string | undefined | void;

/** A property that can't be tried on this machine: what it needs is not installed. */
export class NotHere extends Error {}

/** Where a property needs a server, a folder or a model, they last as long as `t`. @throws NotHere */
export type Target = (t: Test) => Property | Promise<Property>;
