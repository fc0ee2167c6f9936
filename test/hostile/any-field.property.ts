/** Whatever is written into whichever field, nobody else waits for it. */
import type { Test } from "tap";
import type { Property } from "../fuzz/property.js";
import { below, pick } from "../fuzz/random.js";
import { type FieldTrial, FieldTrials } from "./field-trial.js";
import { startWatched } from "./watched-appliance.js";
import { furtherStrings, worstStrings } from "./worst-strings.js";

export async function noFieldHoldsTheLoop(
	t: Test,
): Promise<Property<FieldTrial>> {
	const watched = await startWatched(t);
	const trials = await FieldTrials.open(watched);
	return {
		name: "hostile/any-field",
		promise: "no text in any field holds the event loop, or breaks anything",
		draw: (random) => {
			const field = pick(random, trials.fields);
			return {
				field,
				string: pick(random, [...worstStrings, ...furtherStrings]),
				shape: pick(random, field.shapes),
				bytes: 64 << below(random, 18),
			};
		},
		check: (trial) => trials.try(trial),
	};
}
