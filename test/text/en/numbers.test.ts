import t from "tap";
import { openFrom } from "../../../runtime/text/en/open-number.js";
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

const { writeNumbers, speakNumbers } = rulesOf["en-US"];

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

t.test("other text stays", (t) => {
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
		const spoken = speak(`${n} yen`);
		if (/\d/.test(spoken)) t.fail(spoken);
		if (speak(write(spoken)) !== spoken)
			t.fail(`${n}: ${spoken} -> ${write(spoken)}`);
	}
	t.end();
});

for (const rule of ["writeNumbers", "speakNumbers"] as const)
	await holds(t, settledRule("en", rule), 2000);

t.test("a number is held back only while it may continue", (t) => {
	t.equal(openFrom("eight of"), 8, "no date begins so");
	t.equal(openFrom("eight of spades"), 15);
	t.equal(openFrom("the fifth of"), 4, "March may follow");
	t.equal(openFrom("a quarter of"), 0);
	t.end();
});

t.test("a growing text retracts no number", (t) => {
	const texts = [...bothWays, ...writes].flat().concat(staysWritten);
	texts.push(
		...["twenty five-year-olds at the fair", "twenty five-year-old boys ran"],
		...["the two hundred dollar bill today", "two hundred dollar bills today"],
	);
	for (const rule of [writeNumbers, speakNumbers])
		growRule(t, rule, openFrom, texts, (text, at) => text[at] === " ");
	const points = ["a .22 caliber rifle, .5", "it grew .5%", "$.50", "well..."];
	for (const rule of [writeNumbers, speakNumbers])
		growRule(t, rule, openFrom, points, () => true);
	t.equal(openFrom("Hello world."), 12, "the end of a sentence");
	t.end();
});

t.test("10,000 characters are processed in time", (t) => {
	for (const text of longTexts)
		t.ok([write(text), speak(text), openFrom(text)], text.slice(0, 9));
	t.end();
});
