/** Any texts with any syllables: the lattice answers, within its bounds, and changes nothing that it has no reason to change. */
import assert from "node:assert/strict";
import {
	CandidateTexts,
	candidateOptions,
} from "../../../runtime/search/lattice/candidates.js";
import { spokenText } from "../../../runtime/search/lattice/spoken-text.js";
import { TextWriter } from "../../../runtime/search/lattice/written-text.js";
import { simplifyCharacters } from "../../../runtime/text/zh/simplify.js";
import type { Property } from "../../fuzz/property.js";
import { below, pick, several } from "../../fuzz/random.js";
import { randomText } from "../../text/random-texts.js";
import { recognizedSyllables, toyLexicon } from "./toy-evidence.js";

export const unchangedTextsStay = (): Property<string> => ({
	name: "search/written-text",
	promise: "a text whose units are unchanged is written as it was, simplified",
	draw: randomText,
	check(text) {
		const spoken = spokenText(text);
		const written = new TextWriter([spoken]).write(spoken.units);
		assert.equal(written, simplifyCharacters([...text]).join(""));
	},
});

interface Case {
	readonly texts: readonly string[];
	readonly syllables: string;
}

const chinese = [..."广州市房佛地产中介间协会他在再15银行个苹果花儿了，。"];
const syllables = [
	..."guang3 zhou1 shi4 fang2/huang-2 di4 chan3/can-1 ta1 zai4 yin2".split(" "),
	..."hang2 wu3 ge4 ping2/pin-1 guo3 hua1 er2 le5 ? xx1 zhong1".split(" "),
];

export const anyTextsAndSyllables = (): Property<Case> => ({
	name: "search/candidates",
	promise: "any texts and syllables give candidates with the own text first",
	draw: (random) => ({
		texts: [
			...several(random, 3, () => randomText(random)),
			several(random, 20, () => pick(random, chinese)).join(""),
		],
		syllables: several(random, 20, () => pick(random, syllables)).join(" "),
	}),
	check({ texts, syllables: sounds }) {
		const found = new CandidateTexts(
			sounds === "" ? [] : recognizedSyllables(sounds),
			texts.map((text, i) => ({ text, logp: -3 * below(() => 0.5, i + 1) })),
			toyLexicon(),
		);
		const own = simplifyCharacters([...(texts[0] ?? "")]).join("");
		assert.equal(found.candidates[0]?.text, own);
		const keys = found.candidates.map((it) => it.units.join(" "));
		assert.equal(new Set(keys).size, keys.length, "each text once");
		const { alternatives, latticeTexts, secondLatticeTexts } = candidateOptions;
		const most = alternatives + latticeTexts + secondLatticeTexts;
		assert.ok(keys.length <= most);
		for (const {
			segmentation,
			changed,
			wanted,
			latticeScore,
		} of found.candidates) {
			assert.ok(segmentation <= 0 && changed >= 0);
			assert.ok(wanted.every((it) => /^[a-z]+$/.test(it.base)));
			assert.ok(latticeScore === undefined || Number.isFinite(latticeScore));
		}
	},
});
