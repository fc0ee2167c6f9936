/** The sentences that are certain while a file is transcribed are those of its result, whatever follows them. */
import t from "tap";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import type { FileUtterance } from "../../runtime/tasks/result/parts.js";
import { settledSentences } from "../../runtime/tasks/settled-sentences.js";
import type { Language } from "../../runtime/text/languages.js";
import { below, randomOf } from "../fuzz/random.js";
import { languages, randomUtterances } from "../result/random-speech.js";
import { compose, optionsOf, utteranceOf } from "../result/utterances.js";
import { runningTasks } from "./running-tasks.js";

/** @returns what is certain after each utterance. */
function settledAfterEach(
	options: FileOptions,
	utterances: readonly FileUtterance[],
): string[][] {
	const stored: FileUtterance[] = [];
	const settled = settledSentences(options, (after) =>
		stored.filter(({ index }) => index > after),
	);
	return utterances.map((it) => {
		stored.push(it);
		return [...(settled?.take() ?? [])];
	});
}

/** One after the other, with pauses between them, but for the pairs that a full segment divided. */
function spoken(
	language: Language,
	texts: readonly (readonly [text: string, pauseMs: number])[],
): FileUtterance[] {
	let atMs = 0;
	return texts.map(([text, pauseMs], i) => {
		const utterance = utteranceOf(text, language, atMs + pauseMs);
		atMs = utterance.endMs;
		return { ...utterance, index: i + 1 };
	});
}

t.test("a sentence is certain once the next one has begun", async (t) => {
	const cases = [
		[
			"en-US",
			[
				["Earshot costs $20.", 0], // a number, and a corrected word
				["The meeting goes on", 500],
				["until 3.30 p.m. today. Then", 50], // the sentence spans both
				["we leave.", 20],
				["Good.", 900],
				["Bye.", 900],
			],
			["Earshot costs $20.", "The meeting goes on until 3.30 p.m. today."],
		],
		[
			"ja-JP",
			[
				["今日は晴れです。明日は", 0],
				["雨が降ります。", 30],
				["3時に会議です。", 700],
				["はい。", 700],
			],
			["今日は晴れです。", "明日は雨が降ります。"],
		],
	] as const;
	for (const [language, texts, first] of cases) {
		const options = optionsOf(language);
		const utterances = spoken(language, texts);
		const settled = settledAfterEach(options, utterances).flat();
		t.same(settled.slice(0, first.length), first);
		const result = await compose(options, [utterances]);
		t.same(settled, result.texts.slice(0, settled.length));
		t.ok(settled.length >= result.texts.length - 1, "all but the last");
	}
});

t.test("certain sentences begin every result", async (t) => {
	const random = randomOf(7);
	let certain = 0;
	for (let round = 0; round < 150; round++) {
		const language = languages[round % languages.length] as Language;
		const options = optionsOf(language, {
			words: below(random, 2) === 0,
			punctuation: below(random, 2) === 0,
			...(below(random, 3) === 0 && { clusters: 1 }),
		});
		const count = 1 + below(random, 12);
		const utterances = randomUtterances(random, language, count);
		const settled = settledAfterEach(options, utterances).flat();
		const { texts } = await compose(options, [utterances]);
		const spoken = texts.filter((it) => it !== "");
		t.same(settled, spoken.slice(0, settled.length), `round ${round}`);
		certain += settled.length;
	}
	t.ok(certain > 150, `${certain} sentences`);
});

t.test("nothing is certain before speakers, channels and lines are", (t) => {
	for (const unsettled of [
		{ clusters: 0 },
		{ channels: 2 },
		{ output: "subtitle" },
	] as const)
		t.equal(
			settledSentences(optionsOf("en-US", unsettled), () => []),
			undefined,
		);
	t.end();
});

t.test("of a task, while the rest is transcribed", async (t) => {
	const { tasks, submit, finished, textsOf, gate } = await runningTasks(t);
	const { sentence, open } = gate();
	const id = await submit(["One", "Two", "Three", "Four", sentence]);
	const settled = tasks.settledSentences(id);
	const texts: string[] = [];
	while (texts.length < 2) {
		texts.push(...(settled?.take() ?? []));
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	t.equal(tasks.find(id)?.state, "processing");
	open();
	await finished(id);
	const plain = texts.map((it) => it.replace(/\.$/, ""));
	t.same(plain, textsOf(id).slice(0, plain.length));
	t.equal(tasks.settledSentences("none"), undefined);
});
