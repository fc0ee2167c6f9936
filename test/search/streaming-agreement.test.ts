/** What is shown of an open segment, for made-up hypotheses and for recorded ones (the repository's clips, decoded every 300 ms with a beam of 2). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t from "tap";
import {
	StreamingAgreement,
	type StreamingHypothesis,
} from "../../runtime/search/streaming-agreement.js";
import { countUnits, textAfter } from "../../runtime/search/text-units.js";

function guess(
	text: string,
	more: Partial<StreamingHypothesis> = {},
): StreamingHypothesis {
	return { text, tokens: [], confidence: 0.9, ...more };
}

/** What is shown after each hypothesis. */
function shown(...guesses: (string | StreamingHypothesis)[]): string[] {
	const agreement = new StreamingAgreement();
	return guesses.map((it) => {
		agreement.accept(typeof it === "string" ? guess(it) : it);
		return agreement.text;
	});
}

t.test("the last word waits for the next one, or for a pause", async (t) => {
	t.same(
		shown(
			"what's the",
			"what's the weather",
			"what's the weather",
			"what's the weather like",
			guess("What's the weather like?", { whole: true }),
		),
		[
			"what's",
			"what's the",
			"what's the",
			"what's the weather",
			"what's the weather like",
		],
	);
});

t.test("a text that says again what it just said is not shown", async (t) => {
	const sure = (text: string) => guess(text, { confidence: 1 });
	const sentence = "well we know this much about her";
	t.same(
		shown(
			sure(sentence),
			sure(`${sentence} constantly ${sentence}`),
			sure(`${sentence} constantly ${sentence}`),
			sure(`${sentence} constantly moving from place to place`),
		),
		[
			"well we know this much about",
			"well we know this much about",
			"well we know this much about",
			"well we know this much about her constantly moving from place to",
		],
	);
	const zh = "我们知道她的情况";
	t.same(shown(sure(zh), sure(`${zh}很多${zh}`)).at(-1), "我们知道");
	t.same(
		shown(sure("one two three"), sure("one two three one two three four")).at(
			-1,
		),
		"one two three one two three",
		"numbers are read like that",
	);
	t.equal(
		shown(guess(`${sentence} ${sentence}`, { whole: true })).at(-1),
		`${sentence} ${sentence}`,
		"a speaker may have said it: the text of a pause has it",
	);
});

t.test("half of a few characters is shown, all but four of many", async (t) => {
	t.same(shown("广州", "广州市房地产中介"), ["广", "广州市房"]);
});

t.test("one or two hypotheses retract nothing, three do", async (t) => {
	t.same(
		shown(
			"he began to confuse him",
			"he began a confused complaint",
			"he began a confused complaint against",
			"he began a confused complaint against the",
		),
		[
			"he began to confuse",
			"he began to confuse",
			"he began to confuse",
			"he began a confused complaint against",
		],
	);
});

t.test("text that no hypothesis confirms is not shown forever", async (t) => {
	const texts = shown(
		"one two x",
		"one 3 x y",
		"one 4 x y",
		"one 5 x y",
		"one 6 x y",
		"one 7 x y",
		"one 8 x y",
	);
	t.equal(texts[0], "one two");
	t.equal(texts[5], "one two");
	t.equal(texts[6], "one 8 x");
});

t.test("a hypothesis up to a pause only extends the text", async (t) => {
	const whole = (text: string) => guess(text, { whole: true });
	t.same(shown("he began to", whole("She began to confuse him.")), [
		"he began",
		"he began",
	]);
});

t.test("the shown text keeps its spelling", async (t) => {
	t.same(shown("television reports", "Television Reports Show it"), [
		"television",
		"television Reports Show",
	]);
});

t.test("a doubtful beginning is not shown", async (t) => {
	t.same(shown(guess("thank you", { confidence: 0.1 }), "so that we"), [
		"",
		"so that",
	]);
});

t.test("an empty hypothesis retracts nothing", async (t) => {
	t.same(shown("he began to", "", "he began to me"), [
		"he began",
		"he began",
		"he began to",
	]);
});

t.test("marks are not a difference and never shown last", async (t) => {
	t.same(
		shown(
			"今天天气很好我们去",
			guess("今天天气很好，我们去公园吧。", { whole: true }),
			"今天天气很好我们去公园吧你觉得怎么样",
		),
		[
			"今天天气很",
			"今天天气很好，我们去公园吧",
			"今天天气很好，我们去公园吧你觉",
		],
	);
	t.same(shown(guess('"Well," he said.', { whole: true })), ['Well," he said']);
});

t.test("case and width are not a difference", async (t) => {
	t.same(shown("television reports show", "Television reports show white"), [
		"television reports",
		"television reports show",
	]);
});

t.test("a hypothesis up to a pause is complete", async (t) => {
	t.same(shown(guess("今日はいい天気", { whole: true })), ["今日はいい天気"]);
});

t.test("agreed tokens are forced, except for the newest", async (t) => {
	const agreement = new StreamingAgreement();
	agreement.accept(guess("a", { tokens: [1, 2, 3, 4, 5] }));
	t.same(agreement.prefixTokens, []);
	agreement.accept(guess("a", { tokens: [1, 2, 3, 4, 9, 8] }));
	t.same(agreement.prefixTokens, [1, 2]);
	agreement.accept(guess("a", { tokens: [7] }));
	t.same(agreement.prefixTokens, [1, 2], "what is settled stays");
});

t.test("committed text can be split from the rest", async (t) => {
	const agreement = new StreamingAgreement();
	agreement.accept(guess("he began, a confused complaint"));
	agreement.accept(guess("he began, a confused complaint against"));
	t.equal(agreement.committedText, "he began, a confused");
	t.same(agreement.splitCommitted(2), {
		before: "he began, ",
		after: "a confused complaint",
	});
	t.equal(agreement.splitCommitted(6), undefined, "not committed");
	const next = new StreamingAgreement("a confused complaint");
	next.accept(guess("a confused complaint against the"));
	t.equal(next.text, "a confused complaint against");
});

t.test("the rest of a text after its beginning", async (t) => {
	t.equal(textAfter("今天，天气很好", "今天"), "天气很好");
	t.equal(textAfter("今天，天气很好", "昨天"), undefined);
	t.equal(countUnits("iPhone15を2台 買った。"), 7);
});

t.test("only shown words are returned", async (t) => {
	const agreement = new StreamingAgreement();
	const words = ["he", "began", ",", "to", "confuse"].map((text) => ({ text }));
	agreement.accept(guess("he began, to confuse"));
	t.equal(agreement.text, "he began, to");
	t.same(agreement.shownOf(words), words.slice(0, 4));
	const others = ["he", "began", "three"].map((text) => ({ text }));
	t.same(agreement.shownOf(others), others.slice(0, 2));
});

t.test("words are spelled as the text that is shown", async (t) => {
	const agreement = new StreamingAgreement();
	agreement.accept(guess("what your country can"));
	agreement.accept(guess("What your Country can do"));
	t.equal(agreement.text, "what your country can");
	const words = ["What", "your", "“Country", "can", "do"];
	t.same(
		agreement.shownOf(words.map((text) => ({ text }))).map((it) => it.text),
		["what", "your", "“country", "can"],
	);
});

interface Recording {
	readonly clip: string;
	readonly final: string;
	readonly guesses: readonly StreamingHypothesis[];
}

const recordings = JSON.parse(
	readFileSync(
		fileURLToPath(
			new URL("../../../test/search/recorded-guesses.json", import.meta.url),
		),
		"utf8",
	),
) as Recording[];

t.test("recorded speech is rarely retracted", async (t) => {
	let messages = 0;
	let takenBack = 0;
	let charactersShown = 0;
	let charactersTaken = 0;
	let committedTaken = 0;
	for (const { guesses } of recordings) {
		const agreement = new StreamingAgreement();
		let before = "";
		let committed = "";
		for (const one of guesses) {
			agreement.accept(one);
			const { text, committedText } = agreement;
			if (text === before) continue;
			const kept = sameLength(before, text);
			messages++;
			if (kept < before.length) takenBack++;
			charactersTaken += before.length - kept;
			charactersShown += text.length - kept;
			if (!text.startsWith(committed)) committedTaken++;
			committed = committedText;
			before = text;
		}
	}
	t.comment(
		`${messages} messages, ${takenBack} take back; ${charactersTaken} of ${charactersShown} characters; committed ${committedTaken}`,
	);
	t.ok(messages > 60);
	t.ok(takenBack / messages <= 0.1);
	t.ok(charactersTaken / charactersShown <= 0.03);
	t.ok(committedTaken / messages <= 0.01);
});

function sameLength(a: string, b: string): number {
	let i = 0;
	while (i < a.length && a[i] === b[i]) i++;
	return i;
}
