import t from "tap";
import {
	countHotwords,
	spokenSyllables,
} from "../../scripts/benchmarks/hotwords/hotword-scoring.js";
import { scoringUnits } from "../../scripts/benchmarks/scoring.js";

const zh = (text: string) => scoringUnits(text, "zh");
const en = (text: string) => scoringUnits(text, "en");

t.test("errors on hotwords and elsewhere are told apart", async (t) => {
	const count = (transcript: string) =>
		countHotwords("我们去罗卡角看海", transcript, zh, ["罗卡角"]);
	t.same(count("我们去罗卡角看海。"), {
		spoken: 1,
		missed: 0,
		others: 5,
		otherErrors: 0,
	});
	t.match(count("我们去罗卡脚看海"), { missed: 1, otherErrors: 0 });
	t.match(count("我门去罗卡角看海"), { missed: 0, otherErrors: 1 });
	t.match(count("我们去罗卡角罗卡角看海"), { missed: 0, otherErrors: 3 });
	t.match(count(""), { missed: 1, otherErrors: 5 });
});

t.test("a hotword is missed as often as it is not said", async (t) => {
	const reference = "Raoul met Raoul and LLMs";
	const count = (transcript: string) =>
		countHotwords(reference, transcript, en, ["Raoul", "LLMs"]);
	t.match(count("raoul met Ralph and LLM's"), { spoken: 3, missed: 1 });
	t.match(count("Raoul met Raoul and elements"), { spoken: 3, missed: 1 });
});

t.test("words are whole words in English", async (t) => {
	const count = (text: string) => countHotwords(text, text, en, ["art"]);
	t.match(count("The art of it"), { spoken: 1 });
	t.match(count("The party"), { spoken: 0 });
});

t.test("pinyin is compared with how the reference is read", async (t) => {
	const count = (transcript: string) =>
		countHotwords("我们去罗卡角，看2次海", transcript, spokenSyllables, [
			"罗卡角",
			"Scotturb",
		]);
	t.match(count("wǒ men qù luó kǎ jiǎo kàn èr cì hǎi"), {
		spoken: 1,
		missed: 0,
		others: 7,
		otherErrors: 0,
	});
	t.match(count("wǒ men qù luó kǎ jiāo kàn hǎi"), {
		missed: 1,
		otherErrors: 2,
	});
});
