/** A property in the default suite: the same few cases every time. What scripts/fuzz finds beside them becomes a row of a table of cases. */
import type { Test } from "tap";
import type { Property } from "./property.js";
import { report } from "./report.js";
import { trySeed } from "./trial.js";

/** Another list of cases, by hand. */
const firstSeed = Number(process.env.EARSHOT_FUZZ_SEED ?? 1);
const shrinkMsMax = 10_000;

/** @returns how often each outcome came. @param cases their seeds follow each other. */
export async function holds(
	t: Test,
	property: Property,
	cases: number,
): Promise<ReadonlyMap<string, number>> {
	const outcomes = new Map<string, number>();
	await t.test(property.promise, async (t) => {
		for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
			const { outcome, failure } = await trySeed(property, seed);
			if (outcome) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
			if (!failure) continue;
			t.fail(await report(property, seed, failure, shrinkMsMax));
			return;
		}
		t.pass(`${cases} cases`);
	});
	return outcomes;
}
