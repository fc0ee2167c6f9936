/**
 * Passes the entries of a submitted list through the rule of their kind, one after another, and counts those dropped by reason. Filtering comes
 * before limits: the caller checks how many are left.
 */
import { type DropReason, type EntryRule, keyOf } from "./entry.js";

export interface Dropped {
	readonly count: number;
	/** The first of them, as submitted; long ones are not kept. */
	readonly entries: readonly string[];
}

export interface Drops {
	readonly given: number;
	readonly reasons: ReadonlyMap<DropReason, Dropped>;
}

/** Of each reason. */
const keptEntriesMax = 50;
/** UTF-16 units of an entry that is kept. */
const keptUnitsMax = 1024;

export class EntryFilter {
	readonly #rule: EntryRule;
	readonly #keys = new Set<string>();
	readonly #kept: string[] = [];
	readonly #reasons = new Map<
		DropReason,
		{ count: number; entries: string[] }
	>();
	#given = 0;

	constructor(rule: EntryRule) {
		this.#rule = rule;
	}

	/** Adds an entry that is in the list already; it is not counted as given. */
	seed(entry: string): void {
		this.#keys.add(keyOf(entry));
		this.#kept.push(entry);
	}

	/** @returns the entry as stored; undefined if it is dropped. */
	add(given: string): string | undefined {
		this.#given++;
		const verdict = this.#rule(given);
		if ("dropped" in verdict) return this.#drop(verdict.dropped, given);
		const { entry } = verdict;
		const key = keyOf(entry);
		if (this.#keys.has(key)) return this.#drop("duplicate", given);
		this.#keys.add(key);
		this.#kept.push(entry);
		return entry;
	}

	get kept(): readonly string[] {
		return this.#kept;
	}

	get drops(): Drops {
		return { given: this.#given, reasons: this.#reasons };
	}

	#drop(why: DropReason, given: string): undefined {
		const dropped = this.#reasons.get(why) ?? { count: 0, entries: [] };
		this.#reasons.set(why, dropped);
		dropped.count++;
		if (dropped.entries.length < keptEntriesMax && given.length <= keptUnitsMax)
			dropped.entries.push(given);
		return undefined;
	}
}

/** "3 of 10 entries dropped: 1 duplicate, 2 too long"; undefined if none was. */
export function describeDrops({ given, reasons }: Drops): string | undefined {
	if (reasons.size === 0) return undefined;
	const counts = [...reasons].map(([why, { count }]) => [why, count] as const);
	const total = counts.reduce((sum, [, count]) => sum + count, 0);
	const why = counts.map(([reason, count]) => `${count} ${reason}`).join(", ");
	return `${total} of ${given} ${given === 1 ? "entry" : "entries"} dropped: ${why}`;
}
