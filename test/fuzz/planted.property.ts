/** A fault put there on purpose: the test of scripts/fuzz looks for it. It is tried by its full name only. */

import type { Property } from "./property.js";
import { below, pick, type Random } from "./random.js";

const lettersMax = 60;

export const planted = (): Property<string> => ({
	name: "fuzz/planted",
	promise: "no text has a b anywhere behind an a",
	draw: (random: Random) =>
		Array.from({ length: below(random, lettersMax) }, () =>
			pick(random, [..."xyzab"]),
		).join(""),
	check(text) {
		if (/a.*b/.test(text)) throw new Error(`a b behind an a`);
	},
});
