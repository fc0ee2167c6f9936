/** The text pipeline in a session: the text of finals, partials and the whole. No model, no clock. */

import { readFileSync } from "node:fs";
import t from "tap";
import {
	emptyHypothesis,
	type Hypothesis,
} from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	writeOpenUtterance,
	writeUtterance,
} from "../../runtime/session/writing.js";
import type { Language } from "../../runtime/text/languages.js";
import { TextPipeline } from "../../runtime/text/pipeline.js";
import { of, perform, rehearse, speech } from "./rehearsal.js";

const language: Language = "zh-cmn-Hans-CN";

/** Gives the same words at the same times in every decode. */
function recognizerOf(
	words: readonly string[],
	withWords: boolean,
	wordSeconds = 0.25,
) {
	return ({ segment }: { readonly segment: Segment }): Hypothesis => {
		const seconds = segment.samples.length / 16_000;
		const spoken = words.slice(0, Math.floor(seconds / wordSeconds));
		return {
			text: spoken.join(""),
			tokens: spoken.map((_, i) => i),
			confidence: 0.9,
			words: spoken.flatMap((text, i) =>
				withWords
					? [
							{
								text,
								startSeconds: i * wordSeconds,
								endSeconds: (i + 1) * wordSeconds,
								kind: /^\p{P}$/u.test(text) ? "punc" : "normal",
								confidence: 0.5,
							} as const,
						]
					: [],
			),
			guards: [],
		};
	};
}

const sentence = [..."嗯", "，", ..."会议三月五号下午三点半在零二室等大家都到"];
const options = {
	language,
	inverseTextNormalization: true,
	modalParticleFilter: true,
	punctuation: true,
	corrections: [{ key: "c", entries: ["会议,例会"] }],
	forbidden: [{ key: "f", entries: ["下午"] }],
};
const written = "例会3月5号**3点半在02室等大家都到";

t.test(
	"finals and the whole are post-processed, with words and without",
	async (t) => {
		for (const withWords of [true, false]) {
			const { events } = await perform(
				rehearse(options),
				speech(-500, 6000, -1500),
				{ recognize: recognizerOf(sentence, withWords) },
			);
			const [final] = of(events, "final");
			const [completed] = of(events, "completed");
			t.equal(final?.utterance.text, written);
			t.equal(completed?.text, written);
			const words = final?.utterance.words ?? [];
			t.equal(words.map((it) => it.text).join(""), withWords ? written : "");
			t.same(completed?.words, words);
			for (const word of words) t.equal(word.confidence, 0.5);
		}
	},
);

t.test("words keep their times whatever is rewritten", async (t) => {
	const { events } = await perform(
		rehearse(options),
		speech(-500, 6000, -1500),
		{ recognize: recognizerOf(sentence, true) },
	);
	const utterance = of(events, "final")[0]?.utterance;
	const times = (utterance?.words ?? []).map((it) => [
		it.text,
		(it.startMs - (utterance?.beginMs ?? 0)) / 250,
		(it.endMs - (utterance?.beginMs ?? 0)) / 250,
	]);
	t.same(times.slice(0, 4), [
		["例会", 2, 4],
		["3", 4, 5],
		["月", 5, 6],
		["5", 6, 7],
	]);
	t.same(times.at(-1), ["到", 21, 22]);
});

t.test("partials are post-processed, and retract nothing", async (t) => {
	const { events } = await perform(
		rehearse({ ...options, partials: true, partialWords: true }),
		speech(-500, 6000, -1500),
		{ recognize: recognizerOf(sentence, true) },
	);
	const partials = of(events, "partial").map((it) => it.utterance);
	t.ok(partials.length > 2, `${partials.length} partials`);
	let before = "";
	for (const { text, words } of partials) {
		t.ok(text.startsWith(before), `${before} -> ${text}`);
		t.notMatch(text, /[嗯下三]/, text);
		t.ok(text.startsWith(words.map((it) => it.text).join("")), text);
		before = text;
	}
	t.ok(before.includes("3月5号**3点半"), before);
});

t.test("a growing text retracts nothing", async (t) => {
	const pipeline = new TextPipeline({
		language,
		inverseTextNormalization: true,
		modalParticleFilter: true,
	});
	const folder = new URL("../../../test/text/zh/", import.meta.url);
	const texts = ["write-numbers.txt", "unchanged.txt"]
		.flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => line.split(" => ")[0] as string);
	for (const text of texts) {
		let before = "";
		const utterance = {
			index: 1,
			beginMs: 0,
			endMs: 1,
			confidence: 1,
			words: [],
		};
		for (let length = 1; length <= text.length; length++) {
			const open = { ...utterance, text: text.slice(0, length) };
			const shown = writeOpenUtterance(open, pipeline)?.text ?? before;
			if (!shown.startsWith(before)) t.fail(`${before} -> ${shown} of ${text}`);
			before = shown;
		}
		const whole = writeUtterance({ ...utterance, text }, pipeline).text;
		if (!whole.startsWith(before)) t.fail(`${before} -> ${whole}`);
	}
	t.ok(texts.length > 200);
});

t.test("a whole request is not emptied by the filler filter", async (t) => {
	const audio = speech(-500, 1000, -1500);
	const recognize = recognizerOf(["嗯", "。"], true);
	const { events } = await perform(
		rehearse({ ...options, oneText: true }),
		audio,
		{ recognize },
	);
	const [whole] = of(events, "completed");
	t.equal(whole?.text, "嗯。");
	t.equal(whole?.confidence, 0.9);
	t.same(
		whole?.words.map(({ text, kind }) => [text, kind]),
		[
			["嗯", "normal"],
			["。", "punc"],
		],
		"words of the filter's kind are left out while it is on",
	);
	t.equal(of(events, "final")[0]?.utterance.text, "", "a sentence is");
});

t.test("fillers next to other words are left out", async (t) => {
	const audio = speech(-500, 1000, -1500, 1000, -1500);
	const texts = [
		["嗯", "。"],
		["好", "的", "。"],
	];
	const { events } = await perform(rehearse(options), audio, {
		recognize: (decode) =>
			recognizerOf(texts[decode.segment.index - 1] as string[], true)(decode),
	});
	t.equal(of(events, "completed")[0]?.text, "好的。");
});

t.test(
	"a sentence behind an ended one begins with a capital letter, also in partials",
	async (t) => {
		const { events } = await perform(
			rehearse({
				language: "en-US",
				punctuation: true,
				partials: true,
				partialWords: true,
			}),
			speech(-500, 3000, -1500, 3000, -1500),
			{
				recognize: ({ segment, urgency }) => {
					const words =
						segment.index === 1
							? ["it", "is", "late"]
							: ["ask", "what", "it", "is"];
					const end = urgency === "partial" ? "" : ".";
					const text = words.join(" ") + end;
					return { ...emptyHypothesis(), text, confidence: 0.9 };
				},
			},
		);
		t.same(
			of(events, "final").map(({ utterance }) => utterance.text),
			["it is late.", "Ask what it is."],
		);
		const shown = of(events, "partial").filter(
			({ utterance }) => utterance.index === 2,
		);
		t.ok(shown.length > 0);
		for (const { utterance } of shown) t.match(utterance.text, /^Ask/);
	},
);
