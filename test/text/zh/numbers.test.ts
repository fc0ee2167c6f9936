/** The tables next to this file: spoken form, written form, and text that must not change. */
import { readFileSync } from "node:fs";
import t from "tap";
import { editText, type TextRule } from "../../../runtime/text/edits.js";
import { TextPipeline } from "../../../runtime/text/pipeline.js";
import { rulesOf } from "../../../runtime/text/registry.js";
import { growRule } from "../numbers.js";

type Case = readonly [given: string, expected: string];

function cases(file: string): Case[] {
	const folder = new URL("../../../../test/text/zh/", import.meta.url);
	return readFileSync(new URL(file, folder), "utf8")
		.split("\n")
		.filter((line) => line.trim() !== "" && !line.startsWith("#"))
		.map((line): Case => {
			const [given = "", expected = given] = line.split(" => ");
			return [given, expected];
		});
}

function apply(rule: TextRule, text: string): string {
	return editText(text, rule(text));
}

const { writeNumbers, speakNumbers } = rulesOf["zh-cmn-Hans-CN"];
const written = cases("write-numbers.txt");
const unchanged = cases("unchanged.txt");
const spoken = cases("speak-numbers.txt");

t.test("numbers are written in digits where people write them", async (t) => {
	t.ok(written.length >= 150, "enough cases");
	for (const [given, expected] of written)
		t.equal(apply(writeNumbers, given), expected, given);
});

t.test("text that is not a number stays", async (t) => {
	t.ok(unchanged.length >= 40, "enough cases");
	for (const [given] of unchanged)
		t.equal(apply(writeNumbers, given), given, given);
});

t.test(
	"numbers are written in words where digits are not wanted",
	async (t) => {
		for (const [given, expected] of spoken)
			t.equal(apply(speakNumbers, given), expected, given);
	},
);

t.test("the rules change nothing in their own result", async (t) => {
	for (const [given] of [...written, ...unchanged, ...spoken]) {
		for (const rule of [writeNumbers, speakNumbers]) {
			const once = apply(rule, given);
			t.equal(apply(rule, once), once, given);
		}
	}
});

t.test("a growing text retracts no number", async (t) => {
	const texts = [...written, ...unchanged].map(([given]) => given);
	const pipeline = new TextPipeline({
		language: "zh-cmn-Hans-CN",
		inverseTextNormalization: true,
	});
	const openFrom = (text: string) => pipeline.openFrom(text);
	growRule(t, writeNumbers, openFrom, texts, () => true);
	const signed = ["气温-5度", "降到-.5度", "花了$5吧", "亏了-$5", "从￥3起"];
	growRule(t, speakNumbers, openFrom, signed, () => true);
});
