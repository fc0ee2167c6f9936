/** A failure as a person reads it: what does not hold, the smallest case, and how to have it again. */
import { inspect } from "node:util";
import type { Property } from "./property.js";
import { shrink } from "./shrink.js";
import type { Failure } from "./trial.js";

/** @param msMax for making it small. */
export async function report(
	property: Property,
	seed: number,
	failure: Failure,
	msMax: number,
): Promise<string> {
	const least = await shrink(property, failure, msMax);
	return [
		`${property.name}: not so: ${property.promise}`,
		`  seed ${seed}; again: scripts/fuzz ${property.name} --seed ${seed}`,
		`  smallest case: ${shown(least.one)}`,
		`  ${errorText(least.error)}`,
	].join("\n");
}

/** As it can be copied into a table of cases. */
function shown(one: unknown): string {
	return inspect(one, {
		depth: 8,
		maxArrayLength: 300,
		maxStringLength: 4000,
		breakLength: 120,
	}).replaceAll("\n", "\n  ");
}

/** Without the calls from here to the check. */
function errorText(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? `${error}`) : error;
	return `${text}`
		.split("\n")
		.filter(
			(line) =>
				!/^ +at .*test\/fuzz\/(trial|shrink|report|turns|fuzz|holds)\./.test(
					line,
				),
		)
		.join("\n  ");
}
