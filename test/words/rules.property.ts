/** Entries of any characters, checked by the rules of every word list. */
import assert from "node:assert/strict";
import {
	correctionRule,
	forbiddenRule,
} from "../../runtime/words/correction.js";
import type { EntryRule } from "../../runtime/words/entry.js";
import {
	eitherRule,
	readingRule,
	writingRule,
} from "../../runtime/words/hotword.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";

const categories = ["人名", "地名", "記号", "固有名詞"];
const rules: Readonly<Record<string, EntryRule>> = {
	writing: writingRule,
	reading: readingRule(categories),
	either: eitherRule(categories),
	correction: correctionRule({ bytesMax: 4096, wrongFormsMax: 100 }),
	forbidden: forbiddenRule,
};
const common = [..."abC,| #。、・ーすスｽ鈴😀\u0301\u200d\ufe0f\n"];

type Letters = (random: Random) => string;

const letters: readonly Letters[] = [
	(random) => pick(random, common),
	(random) => String.fromCodePoint(0x3041 + below(random, 180)),
	(random) => String.fromCharCode(below(random, 0x10000)),
	(random) => String.fromCodePoint(below(random, 0x110000)),
	() => "人名",
];

export const keptEntriesObeyTheRules = (): Property<string> => ({
	name: "words/rules",
	promise: "whatever letters come, what is kept obeys the rules",
	draw(random) {
		const kind = pick(random, letters);
		return Array.from({ length: below(random, 34) }, () =>
			below(random, 4) === 0 ? pick(random, common) : kind(random),
		).join("");
	},
	check(given) {
		let taken: string | undefined;
		for (const [name, rule] of Object.entries(rules)) {
			const verdict = rule(given);
			if (!("entry" in verdict)) continue;
			taken = "taken";
			const { entry } = verdict;
			assert.doesNotMatch(entry, /\p{Cc}|\p{Cs}|\p{Emoji_Presentation}/u, name);
			assert.equal(entry, entry.trim(), name);
			assert.ok(!entry.split(",").includes(""), `${name}: no empty column`);
			for (const it of entry.split(/[,|]/))
				assert.ok([...it].length <= 30, name);
			assert.deepEqual(rule(entry), verdict, `${name}: kept is kept again`);
		}
		return taken;
	},
});
