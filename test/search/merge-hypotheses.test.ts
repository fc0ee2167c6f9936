import t from "tap";
import {
	type HotwordSpan,
	type HypothesisPiece,
	type Hypothesized,
	mergeHypotheses,
} from "../../runtime/search/merge-hypotheses.js";

/** Pieces are characters with probabilities; the end's is 0.1. */
const hypothesisOf = (
	text: string,
	logp: readonly number[],
	...spans: HotwordSpan[]
): Hypothesized => ({
	pieces: [...text].map((one, i) => ({
		text: one,
		tokens: [one.codePointAt(0) as number],
		logp: [logp[i] as number],
	})),
	spans,
	endLogp: -0.1,
});
const textOf = (pieces: readonly HypothesisPiece[]) =>
	pieces.map((piece) => piece.text).join("");
const even = (text: string, ...spans: HotwordSpan[]) =>
	hypothesisOf(
		text,
		[...text].map(() => -0.1),
		...spans,
	);
const span = (from: number, to: number, bonus: number): HotwordSpan => ({
	from,
	to,
	bonus,
});

t.test("a difference with a hotword is used, one without is not", async (t) => {
	const plain = even("甲乙丙丁戊己庚");
	const logp = [-0.1, -1, -0.1, -0.1, -0.1, -0.05, -0.1];
	const favoured = hypothesisOf("甲子丙丁戊午庚", logp, span(1, 2, 2));
	t.equal(textOf(mergeHypotheses(plain, favoured)), "甲子丙丁戊己庚");
	t.equal(mergeHypotheses(plain, even("甲子丙丁戊午庚")), plain.pieces);
});

t.test(
	"the bonus must outweigh the lower probability, there and after it",
	async (t) => {
		const plain = even("甲乙丙丁戊");
		const taken = (here: number, behind: number) => {
			const logp = [-0.1, here, behind, -0.1, -0.1];
			const favoured = hypothesisOf("甲子丙丁戊", logp, span(1, 2, 2));
			return textOf(mergeHypotheses(plain, favoured)) === "甲子丙丁戊";
		};
		t.ok(taken(-1.9, -0.1));
		t.notOk(taken(-2.2, -0.1));
		t.notOk(taken(-1.5, -1), "the next one suffers");
	},
);

t.test("hotwords of the plain hypothesis count as well", async (t) => {
	const plain = even("甲乙丙", span(1, 2, 3));
	t.equal(mergeHypotheses(plain, even("甲子丙", span(1, 2, 2))), plain.pieces);
});

t.test("a hotword across two differences takes both or none", async (t) => {
	const plain = even("甲乙丙丁戊");
	const merged = (bonus: number) =>
		textOf(
			mergeHypotheses(
				plain,
				hypothesisOf(
					"甲子丙丑戊",
					[-0.1, -0.1, -0.1, -3, -0.1],
					span(1, 4, bonus),
				),
			),
		);
	t.equal(merged(4), "甲子丙丑戊");
	t.equal(merged(2), "甲乙丙丁戊", "not the better half alone");
});

t.test(
	"beside the hotword the plain text stays, if both have the same length",
	async (t) => {
		const plain = even("公园站地大");
		t.equal(
			textOf(mergeHypotheses(plain, even("公元占地大", span(2, 4, 3)))),
			"公园占地大",
		);
		const longer = (bonus: number) =>
			textOf(mergeHypotheses(plain, even("公元里占地大", span(3, 5, bonus))));
		t.equal(longer(5), "公元里占地大", "else nobody knows which is which");
		t.equal(longer(3), "公园站地大", "and what changes beside it pays");
	},
);

t.test("texts of different lengths, and empty ones", async (t) => {
	const merged = (plain: string, favoured: string, from: number, to: number) =>
		textOf(mergeHypotheses(even(plain), even(favoured, span(from, to, 5))));
	t.equal(merged("甲乙", "甲乙子丑", 2, 4), "甲乙子丑");
	t.equal(merged("乙丙", "子丙", 0, 1), "子丙");
	t.equal(merged("甲乙丙", "甲子", 1, 2), "甲子");
	t.equal(merged("", "子", 0, 1), "子");
	t.equal(textOf(mergeHypotheses(even("甲"), even(""))), "甲");
});

t.test("an inflected form of the hotword stays as recognized", async (t) => {
	const words = (...texts: string[]) => ({
		pieces: texts.map((text) => ({ text, tokens: [1], logp: [-0.1] })),
		spans: [] as HotwordSpan[],
		endLogp: -0.1,
	});
	const written = (recognized: string, entry: string) => {
		const plain = words(" who", " had", ` ${recognized}`, " behind");
		const favoured = {
			...words(" who", " had", ` ${entry}`, " behind"),
			spans: [span(2, 3, 4)],
		};
		return textOf(mergeHypotheses(plain, favoured)).split(" ")[3];
	};
	for (const [recognized, entry] of [
		["vanished", "vanish"],
		["robots", "robot"],
		["Luna's", "Luna"],
		["hoping", "hope"],
		["carried", "carry"],
		["Boxes", "box"],
	] as const)
		t.equal(written(recognized, entry), recognized);
	for (const [recognized, entry] of [
		["employee", "employ"],
		["resters", "wrestlers"],
		["Anna", "Ann"],
		["LLM's", "LLMs"],
		["bean", "been"],
	] as const)
		t.equal(written(recognized, entry), entry);
});
