import t from "tap";
import {
	compressionRatio,
	endsInEarlierWords,
	endsInEcho,
	loopLength,
	withoutLoop,
} from "../../runtime/search/repetition.js";
import { unitsOf } from "../../runtime/search/text-units.js";

const times = (count: number, ...tokens: number[]) =>
	Array.from({ length: count }, () => tokens).flat();

t.test("a loop is detected with its length", (t) => {
	t.equal(loopLength(times(12, 7)), 1);
	t.equal(loopLength([1, 2, 3, ...times(5, 4, 5, 6)]), 3);
	t.equal(loopLength([9, ...times(6, 1, 2)]), 2);
	t.end();
});

t.test("natural repetitions are not loops", (t) => {
	t.equal(loopLength(times(4, 4, 5, 6)), 0, "a phrase four times");
	t.equal(loopLength(times(8, 7)), 0, "eight zeros read out");
	t.equal(loopLength([...times(6, 4, 5, 6), 1]), 0, "and then something else");
	t.equal(loopLength([]), 0);
	t.end();
});

t.test("a loop is reduced to one repetition", (t) => {
	t.same(withoutLoop([1, 2, ...times(5, 4, 5, 6)]), [1, 2, 4, 5, 6]);
	t.same(withoutLoop([1, 2, 3]), [1, 2, 3]);
	t.same(withoutLoop(times(20, 7)), [7]);
	t.end();
});

t.test("repetition compresses, speech does not", (t) => {
	const speech =
		"He began a confused complaint against the wizard, who had vanished behind the curtain on the left.";
	t.ok(compressionRatio(speech) < 2);
	t.ok(compressionRatio("and then we went, ".repeat(9)) > 2.4);
	t.ok(
		compressionRatio(
			"秋天总是那么富有诗意。树叶渐渐变红，街道旁的银杏树也开始落叶。",
		) < 2,
	);
	t.equal(compressionRatio("no no no no"), 1, "too short to say");
	t.end();
});

t.test("a text said twice ends in an echo", (t) => {
	for (const text of [
		"nine nine",
		"T. T.",
		"He began a complaint. He began a complaint.",
		"Well, ask what you can do for it. Ask what you can do for it.",
		"そうなんだよ。そうなんだよ。",
		"我们走吧，我们走吧。",
		"广州市房地产中介协会分析房地产中介协会分析",
	])
		t.ok(endsInEcho(text), text);
	for (const text of [
		"",
		"nine",
		"one two one",
		"That is fine, fine.",
		"Well, he began a complaint, began a complaint.",
		"谢谢",
		"はいはい",
		"看看看看",
		"no no, not that",
	])
		t.notOk(endsInEcho(text), text);
	t.end();
});

t.test("the end of a text that stood in it before", async (t) => {
	const ends = (text: string) => endsInEarlierWords(unitsOf(text));
	t.ok(ends("it was late so he went, and then it was late so"));
	t.notOk(ends("it was late so he went, and then it was late"), "three words");
	t.notOk(ends("it was late so he went home"));
	t.ok(ends("我们知道她的情况很多我们知道她的情"));
	t.notOk(ends("我们知道她的我们知道她"), "five characters");
	t.notOk(ends("no no no no no"), "no room for two of them");
	t.notOk(ends(""));
});
