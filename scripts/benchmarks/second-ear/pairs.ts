/** What the same recordings became without and with the second ear: errors, and which texts became better, worse, or no longer right. */
import type { Half } from "../joined/recordings.js";
import { countErrors, errorPercent, type ScoredLanguage } from "../scoring.js";
import type { Both, Recognized } from "./servers.js";

export interface Pair extends Both<Recognized> {
	readonly name: string;
	/** "clean", "distant", "joined" and so on. */
	readonly condition: string;
	readonly half: Half;
	readonly reference: string;
	readonly language: ScoredLanguage;
}

export interface PairCounts {
	readonly recordings: number;
	/** Percent. */
	readonly errors: Both<number>;
	readonly better: number;
	readonly worse: number;
	/** Without an error when recognized without the second ear. */
	readonly right: number;
	/** Of those: with an error when recognized with it. */
	readonly broken: number;
	/** The same text, to the byte. */
	readonly same: number;
}

export function countPairs(pairs: readonly Pair[]): PairCounts {
	const counted = pairs.map((pair) => {
		const { reference, language } = pair;
		return {
			isSame: pair.without.text === pair.with.text,
			without: countErrors(reference, pair.without.text, language),
			with: countErrors(reference, pair.with.text, language),
		};
	});
	type Counted = (typeof counted)[number];
	const number = (is: (it: Counted) => boolean) => counted.filter(is).length;
	const isRight = (it: Counted) => it.without.errors === 0;
	return {
		recordings: pairs.length,
		errors: {
			without: errorPercent(counted.map((it) => it.without)),
			with: errorPercent(counted.map((it) => it.with)),
		},
		better: number((it) => it.with.errors < it.without.errors),
		worse: number((it) => it.with.errors > it.without.errors),
		right: number(isRight),
		broken: number((it) => isRight(it) && it.with.errors > 0),
		same: number((it) => it.isSame),
	};
}

/** Errors that the second ear adds; below zero: takes away. */
export function errorsAdded({
	reference,
	language,
	without,
	with: joint,
}: Pair): number {
	const errorsOf = ({ text }: Recognized) =>
		countErrors(reference, text, language).errors;
	return errorsOf(joint) - errorsOf(without);
}

/** -24 % */
export function changeOf({ without, with: joint }: Both<number>): string {
	const percent = Math.round((100 * (joint - without)) / without);
	return `${percent > 0 ? "+" : ""}${percent} %`;
}

/** 22.31 -> 16.90 % */
export function fromTo({ without, with: joint }: Both<number>): string {
	return `${without.toFixed(2)} -> ${joint.toFixed(2)} %`;
}
