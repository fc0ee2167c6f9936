import t from "tap";
import { parseWakeWords } from "../../runtime/words/wake-word.js";

function fault(...entries: string[]): string {
	const found = parseWakeWords(entries);
	return "fault" in found ? found.fault : "";
}

t.test("phrases, with a threshold or without", (t) => {
	t.same(parseWakeWords(["小智小智", "你好 小明:0.6"]), [
		{ phrase: "小智小智", threshold: 0.4 },
		{ phrase: "你好小明", threshold: 0.6 },
	]);
	t.same(parseWakeWords([]), []);
	t.end();
});

t.test("what can't be a wake word, and why", (t) => {
	t.match(fault("Hey Earshot"), /^must be Chinese phrases.*got "Hey Earshot"$/);
	t.match(fault(""), /^must be Chinese phrases/);
	t.match(fault("小智!智"), /^must be Chinese phrases/);
	t.match(
		fault("小智"),
		/^must have 3 to 10 syllables, but "小智" has 2: .*chance/,
	);
	t.match(fault("小智小智小智小智小智小"), /has 11: .*missed/);
	for (const given of ["", "0", "1", "x", "0.96", "-1", "0.3:2"])
		t.match(fault(`小智小智:${given}`), /^must have thresholds from/, given);
	t.match(fault("小智小智", "小智小智:0.4"), /^has "小智小智" twice$/);
	const many = Array.from("一二三四五六七八九十百", (it) => `小智${it}`);
	t.match(fault(...many), /^must be at most 10, got 11/);
	t.end();
});
