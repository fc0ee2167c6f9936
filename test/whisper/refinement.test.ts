/**
 * A refiner chooses among texts: what it gets, and what becomes of its choice.
 */
import { join } from "node:path";
import t from "tap";
import type {
	Hypothesis,
	SegmentRequest,
} from "../../runtime/models/recognizer.js";
import type {
	Alternative,
	RefinerOptions,
	TextRefiner,
	TextScore,
} from "../../runtime/models/refinement.js";
import { countingPort } from "./counting-port.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
	sharedAudio,
	transcribe,
} from "./packages.js";
import { textOf, together } from "./together.js";

const skip = missing(modelDirectory, sharedAudio);
const clip = (name: string) => readWav(join(sharedAudio, `${name}.wav`));

const request = (
	name = "zh-fleurs-012",
	changes: Partial<SegmentRequest> = {},
): SegmentRequest => ({
	samples: clip(name),
	language: "zh-cmn-Hans-CN",
	beam: 5,
	punctuation: true,
	words: true,
	...changes,
});

const explanation = { ownText: "", sounds: "", candidates: [] };

/** Chooses what `choose` returns. */
function fakeRefiner(
	choose: TextRefiner["refine"] = async () => undefined,
): TextRefiner & { readonly followed: SegmentRequest[]; refined: number } {
	return {
		languages: ["zh-cmn-Hans-CN"],
		followed: [],
		refined: 0,
		async follow(request) {
			this.followed.push(request);
		},
		refine(...given) {
			this.refined++;
			return choose(...given);
		},
	};
}

async function opened(
	refiner?: TextRefiner,
	options: Partial<RefinerOptions> = {},
) {
	const { port, alive } = countingPort();
	const recognizer = await openRecognizer(
		modelDirectory,
		port,
		refiner && { refiner, ...options },
	);
	return { recognizer, alive };
}

/** What the clip's recognition is without a refiner, once for all tests. */
let ownText: Promise<Hypothesis> | undefined;

function withoutRefiner(): Promise<Hypothesis> {
	ownText ??= opened().then(async ({ recognizer }) => {
		const own = await transcribe(recognizer, request());
		await recognizer.close();
		return own;
	});
	return ownText;
}

/** Which marks another text gets is in doubt, and depends on the processor's arithmetic. */
const withoutMarks = (text: string) => text.replace(/[\p{P} ]/gu, "");

const otherWord: TextRefiner["refine"] = async (_, [own]) => ({
	text: (own?.text ?? "").replace("黑暗", "白天"),
	explanation,
});

t.test(
	"the chosen text arrives with words, times and confidence",
	{ skip },
	async (t) => {
		const { recognizer, alive } = await opened(fakeRefiner(otherWord));
		const own = await withoutRefiner();
		const found = await transcribe(recognizer, request());
		t.match(own.text, /在黑暗中看到/u);
		t.equal(
			withoutMarks(found.text),
			withoutMarks(own.text).replace("黑暗", "白天"),
		);
		t.equal(found.words.map((word) => word.text).join(""), found.text);
		const at = (it: Hypothesis, text: string) =>
			it.words.find((word) => word.text.includes(text));
		const wanted = at(own, "黑暗");
		const word = at(found, "白天");
		for (const key of ["startSeconds", "endSeconds"] as const)
			t.ok(Math.abs((word?.[key] ?? 0) - (wanted?.[key] ?? 9)) < 0.2, key);
		t.ok((word?.confidence ?? 1) < 0.3, `wrong word: ${word?.confidence}`);
		t.ok((wanted?.confidence ?? 0) > 0.8);
		t.ok(found.confidence < own.confidence && found.confidence > 0.2);
		t.not(found.tokens.join(), own.tokens.join());
		t.equal(alive(), 0, "every tensor was given back");
		await recognizer.close();
	},
);

t.test(
	"a refiner that leaves the text changes nothing",
	{ skip },
	async (t) => {
		const own = await withoutRefiner();
		const choices: TextRefiner["refine"][] = [
			async () => undefined,
			async (_, [own]) => ({ text: own?.text ?? "", explanation }),
		];
		for (const choose of choices) {
			const { recognizer } = await opened(fakeRefiner(choose));
			t.same(await transcribe(recognizer, request()), own);
			await recognizer.close();
		}
	},
);

t.test(
	"it gets distinct texts, best first, and scores that tell them apart",
	{ skip },
	async (t) => {
		let alternatives: readonly Alternative[] = [];
		let scores: readonly TextScore[] = [];
		let alone: readonly TextScore[] = [];
		const wrong = "今天天气很好";
		const refiner = fakeRefiner(async (_, all, scorer) => {
			alternatives = all;
			const texts = [...all.map((one) => one.text), wrong, wrong];
			scores = await scorer.score(texts);
			alone = await scorer.score([wrong, texts[0] ?? ""]);
			return undefined;
		});
		const { recognizer, alive } = await opened(refiner, { beam: 8 });
		const own = await transcribe(
			recognizer,
			request("zh-fleurs-025", { punctuation: false }),
		);
		const texts = alternatives.map((one) => one.text);
		t.equal(withoutMarks(texts[0] ?? ""), own.text);
		t.equal(new Set(texts).size, texts.length);
		t.ok(texts.length >= 4, `${texts.length} texts`);
		const [best, ...others] = scores;
		const wrongs = others.slice(-2);
		t.same(wrongs[0], wrongs[1]);
		t.same(alone, [wrongs[0], best], "known scores are kept");
		t.ok((best?.logp ?? 0) > (wrongs[0]?.logp ?? 0) + 20, "heard");
		t.ok(
			(best?.internalLogp ?? 0) < (best?.logp ?? 0) - 20,
			"less likely without the audio",
		);
		const first = alternatives[0]?.logp ?? 0;
		t.ok(
			Math.abs((best?.logp ?? 0) + (best?.endLogp ?? 0) - first) < 0.1,
			"the same as in the search",
		);
		t.equal(alive(), 0);
		await recognizer.close();
	},
);

t.test(
	"open segments are followed, closed ones refined; other languages are neither",
	{ skip },
	async (t) => {
		const refiner = fakeRefiner();
		const { recognizer } = await opened(refiner);
		await transcribe(recognizer, request(undefined, { open: true }));
		t.same([refiner.followed.length, refiner.refined], [1, 0]);
		await transcribe(recognizer, request(undefined));
		t.same([refiner.followed.length, refiner.refined], [2, 1]);
		await transcribe(recognizer, request("en-jfk-1", { language: "en-US" }));
		await transcribe(
			recognizer,
			request(undefined, { samples: new Float32Array(32_000) }),
		);
		t.same([refiner.followed.length, refiner.refined], [2, 1]);
		await transcribe(
			recognizer,
			request(undefined, {
				language: "zh-cmn-Hans-CN-en-US",
				spokenIn: "zh-cmn-Hans-CN",
			}),
		);
		t.same(
			[refiner.followed.length, refiner.refined],
			[3, 2],
			"a Chinese run of mixed speech",
		);
		await recognizer.close();
	},
);

t.test("a batch and a single segment agree", { skip }, async (t) => {
	const choose: TextRefiner["refine"] = async (_, alternatives, scorer) => {
		const texts = alternatives.map((one) => one.text);
		const scores = await scorer.score(texts);
		const least = Math.min(...scores.map((one) => one.logp));
		const worst = scores.findIndex((one) => one.logp === least);
		return { text: texts[worst] ?? "", explanation };
	};
	const { recognizer, alive } = await opened(fakeRefiner(choose));
	const requests = [
		request(),
		request("en-jfk-1", { language: "en-US" }),
		request("zh-fleurs-025"),
		request("zh-fleurs-007"),
	];
	const all = await together(recognizer, requests);
	for (const [i, one] of requests.entries()) {
		const single = await transcribe(recognizer, one);
		t.equal(textOf(all[i]), single.text);
	}
	t.equal(alive(), 0);
	await recognizer.close();
});

t.test(
	"where the refiner fails, the recognizer's own text stands",
	{ skip },
	async (t) => {
		const own = await withoutRefiner();
		const failures: unknown[] = [];
		const broken: TextRefiner = {
			languages: ["zh-cmn-Hans-CN"],
			follow: async () => {
				throw new Error("deaf");
			},
			refine: async () => {
				throw new Error("broken");
			},
		};
		const { recognizer, alive } = await opened(broken, {
			onFailure: (error) => failures.push(error),
		});
		const { guards, ...found } = await transcribe(recognizer, request());
		const { guards: _, ...wanted } = own;
		t.same(found, wanted);
		t.same(guards, ["refinement failed: broken"]);
		t.match(failures, [{ message: "deaf" }, { message: "broken" }]);
		t.equal(alive(), 0);
		await recognizer.close();
	},
);

t.test(
	"cancelling ends a refinement between two runs of the decoder",
	{ skip },
	async (t) => {
		let isOver = false;
		let scored = 0;
		const refiner = fakeRefiner(async (_, [own], scorer) => {
			await scorer.score([own?.text ?? ""]);
			isOver = true;
			await scorer.score(["今天天气很好"]).finally(() => scored++);
			return { text: "今天天气很好", explanation };
		});
		const { recognizer, alive } = await opened(refiner);
		const result = await recognizer.recognize(
			request(undefined, { cancelled: () => isOver }),
		);
		t.equal(result, "cancelled");
		t.equal(scored, 1);
		t.equal(alive(), 0);
		await recognizer.close();
	},
);
