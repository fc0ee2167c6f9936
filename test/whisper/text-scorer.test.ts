/**
 * Texts are scored by their differences from the recognizer's own, with the package's scorer; the decoder scores each as a whole.
 */
import { join } from "node:path";
import t from "tap";
import type {
	TextRefiner,
	TextScore,
} from "../../runtime/models/refinement.js";
import { windowsOf } from "../../runtime/models/whisper/text-windows.js";
import { countingPort } from "./counting-port.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
	sharedAudio,
	transcribe,
} from "./packages.js";

t.test("differences are scored with the tokens after them", async (t) => {
	const own = [1, 2, 3, 4, 5, 6, 7, 8, 9];
	t.same(windowsOf(own, own, 2), []);
	t.same(
		windowsOf([1, 20, 3, 4, 5, 6, 7, 80, 81, 9], own, 2),
		[
			{ from: 1, to: 2, tokens: [20], end: 4 },
			{ from: 7, to: 8, tokens: [80, 81], end: 10 },
		],
		"the second one includes the end of the text",
	);
	t.same(
		windowsOf([1, 20, 3, 40, 5, 6, 7, 8, 9], own, 2),
		[{ from: 1, to: 4, tokens: [20, 3, 40], end: 6 }],
		"two that are close are one",
	);
	t.same(windowsOf([1, 2, 3, 4, 5, 6, 7, 8], own, 2), [
		{ from: 8, to: 9, tokens: [], end: 10 },
	]);
	t.same(windowsOf([], own, 2), [{ from: 0, to: 9, tokens: [], end: 10 }]);
	t.same(windowsOf([1, 2], [], 2), [
		{ from: 0, to: 0, tokens: [1, 2], end: 1 },
	]);
});

const skip = missing(modelDirectory, sharedAudio);
const changes: readonly (readonly [string, string])[] = [
	["黑暗", "白天"],
	["金字塔", "金子塔"],
	["在那里", "在哪里"],
	["你可以", "他可以"],
	["看到", "看"],
	["节目", "WordPress"],
	["开始前", "刚刚开始前"],
];

async function scoresOf(
	name: string,
	{ usesScorer = true, isInParts = false } = {},
): Promise<{ texts: readonly string[]; scores: readonly TextScore[] }> {
	const { port, alive } = countingPort();
	let texts: readonly string[] = [];
	let scores: readonly TextScore[] = [];
	const refiner: TextRefiner = {
		languages: ["zh-cmn-Hans-CN"],
		follow: async () => {},
		refine: async (_, alternatives, scorer) => {
			const own = alternatives[0]?.text ?? "";
			const changed = changes.map(([from, to]) => own.replace(from, to));
			const all = changes.reduce((it, [from, to]) => it.replace(from, to), own);
			texts = [
				...alternatives.map((one) => one.text),
				...changed,
				all,
				`${own}吗`,
				own.slice(1),
				"",
			];
			if (isInParts)
				for (const from of [8, 4]) await scorer.score(texts.slice(from));
			scores = await scorer.score(texts);
			return undefined;
		},
	};
	const recognizer = await openRecognizer(
		modelDirectory,
		port,
		{ refiner },
		usesScorer,
	);
	await transcribe(recognizer, {
		samples: readWav(join(sharedAudio, `${name}.wav`)),
		language: "zh-cmn-Hans-CN",
		beam: 5,
		punctuation: true,
		words: false,
	});
	await recognizer.close();
	t.equal(alive(), 0, "every tensor was given back");
	return { texts, scores };
}

t.test("the scorer's scores are nearly the decoder's", { skip }, async (t) => {
	for (const name of ["zh-fleurs-012", "zh-fleurs-007"]) {
		const { texts, scores } = await scoresOf(name);
		const whole = await scoresOf(name, { usesScorer: false });
		t.same(texts, whole.texts);
		const own = scores[0] as TextScore;
		const wholeOwn = whole.scores[0] as TextScore;
		const total = (it: TextScore) => it.logp + it.endLogp;
		let squares = 0;
		scores.slice(0, -1).forEach((score, i) => {
			const wanted = whole.scores[i] as TextScore;
			const loss = total(wanted) - total(wholeOwn);
			const off = total(score) - total(own) - loss;
			squares += off ** 2;
			t.ok(
				Math.abs(off) < 1.5 + 0.15 * Math.abs(loss),
				`${texts[i]}: ${off.toFixed(2)} of ${loss.toFixed(2)}`,
			);
		});
		const rms = Math.sqrt(squares / (scores.length - 1));
		t.ok(rms < 1.5, `off by ${rms.toFixed(2)}`);
		const nothing = scores.at(-1) as TextScore;
		t.equal(nothing.logp, 0);
		t.ok(nothing.endLogp < -5);
	}
});
