import t from "tap";
import { openFrom } from "../../../runtime/text/ja/open-number.js";
import { rulesOf } from "../../../runtime/text/registry.js";
import { holds } from "../../fuzz/holds.js";
import { apply, growRule, longTexts } from "../numbers.js";
import { settledRule } from "../settled-rules.property.js";
import {
	bothWays,
	speaks,
	staysSpoken,
	staysWritten,
	writes,
} from "./cases.js";

const { writeNumbers, speakNumbers } = rulesOf["ja-JP"];

function write(text: string): string {
	return apply(text, writeNumbers(text));
}

function speak(text: string): string {
	return apply(text, speakNumbers(text));
}

t.test("numbers are written as people write them", (t) => {
	for (const [spoken, written] of [...bothWays, ...writes])
		t.equal(write(spoken), written, spoken);
	for (const [, written] of [...bothWays, ...writes])
		t.equal(write(written), written, `${written}, as it is`);
	t.end();
});

t.test("numbers are written as spoken", (t) => {
	for (const [spoken, written] of [...bothWays, ...speaks])
		t.equal(speak(written), spoken, written);
	for (const [spoken] of [...bothWays, ...speaks])
		t.equal(speak(spoken), spoken, `${spoken}, as it is`);
	t.end();
});

t.test("words and names that contain numerals stay", (t) => {
	for (const text of staysWritten) t.equal(write(text), text, text);
	for (const text of staysSpoken) t.equal(speak(text), text, text);
	t.end();
});

t.test("there are enough cases", (t) => {
	const count = bothWays.length + writes.length + staysWritten.length;
	t.ok(count >= 150, `${count} cases`);
	t.ok(staysWritten.length >= 40, `${staysWritten.length} that stay`);
	t.end();
});

t.test("every whole number survives both ways", (t) => {
	for (let n = 1; n < 1_000_000_000_000; n = Math.ceil(n * 1.013)) {
		const spoken = speak(`${n}円`);
		if (speak(write(spoken)) !== spoken)
			t.fail(`${n} ${spoken} ${write(spoken)}`);
		if (/\d/.test(spoken)) t.fail(spoken);
	}
	t.end();
});

for (const rule of ["writeNumbers", "speakNumbers"] as const)
	await holds(t, settledRule("ja", rule), 2000);

t.test("a growing text retracts no number", (t) => {
	const texts = [...bothWays, ...writes]
		.flat()
		.concat(staysWritten)
		.filter(
			(it) => !/一(.)一\1|四半期/.test(it), // recognized only by their ends
		);
	for (const rule of [writeNumbers, speakNumbers])
		growRule(t, rule, openFrom, texts, () => true);
	const signed = ["気温は-5度", "気温は-.5度", "$5です", "-$5です", "¥300から"];
	growRule(t, speakNumbers, openFrom, signed, () => true);
	t.end();
});

t.test("10,000 characters are processed in time", (t) => {
	for (const text of longTexts)
		t.ok([write(text), speak(text), openFrom(text)], text.slice(0, 9));
	t.end();
});
