/** Which text of a segment is chosen, and what the recognizer is asked for it: with invented scores. */
import t from "tap";
import { JointRefiner } from "../../runtime/models/second-ear/joint-refiner.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import type { WantedSyllable } from "../../runtime/search/lattice/syllables.js";
import {
	recognizedSyllables,
	toyLexicon,
} from "../search/lattice/toy-evidence.js";

interface Case {
	readonly spoken: string;
	readonly own: string;
	/** Syllables that the model has no symbols for. */
	readonly unspelled: readonly string[];
}

/** The text, undefined where it was not refined, and how many texts the recognizer was asked about. Every text is as likely for it as any other. */
async function refined({ spoken, own, unspelled }: Case) {
	const syllables = recognizedSyllables(spoken);
	const isSpelled = (wanted: readonly WantedSyllable[]) =>
		wanted.every(({ base }) => !unspelled.includes(base));
	const missing = (wanted: readonly WantedSyllable[]) =>
		wanted.filter(({ base }, i) => base !== syllables[i]?.base).length +
		Math.abs(wanted.length - syllables.length);
	const evidence = {
		syllables,
		score: async (all: readonly (readonly WantedSyllable[])[]) =>
			all.map((it) => (isSpelled(it) ? -4 * missing(it) : undefined)),
	};
	const secondEar = {
		name: "toy",
		languages: [],
		weights: jointWeights,
		follow: async () => {},
		evidence: async () => evidence,
		spotterOf: () => {
			throw new Error("no phrases here");
		},
		close: async () => {},
	};
	let asked = 0;
	const refiner = new JointRefiner(secondEar, toyLexicon(), jointWeights);
	const refinement = await refiner.refine(
		{
			samples: new Float32Array(1),
			language: "zh-cmn-Hans-CN",
			beam: 5,
			punctuation: true,
			words: true,
		},
		[{ text: own, logp: -5 }],
		{
			score: async (texts) => {
				asked += texts.length;
				return texts.map(() => ({ logp: -10, endLogp: 0, internalLogp: -20 }));
			},
		},
	);
	return { text: refinement?.text, asked };
}

const hummed = ["ng", "m"];

t.test(
	"a hum that was not heard leaves the rest to be corrected",
	async (t) => {
		const spoken = "ta1 zai4 fang2 di4 chan3";
		for (const own of [
			"他在佛地产。",
			"嗯，他在佛地产。",
			"呣，他在佛地产。",
		]) {
			const { text } = await refined({ spoken, own, unspelled: hummed });
			t.match(text, /他在房地产。$/, own);
		}
	},
);

t.test("a text without a score is compared with none", async (t) => {
	t.same(
		await refined({
			spoken: "ta1 zai4 fang2 di4 chan3",
			own: "他在佛地产。",
			unspelled: ["fo"],
		}),
		{ text: undefined, asked: 0 },
	);
});
