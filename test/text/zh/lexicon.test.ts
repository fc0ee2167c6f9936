import t, { type Test } from "tap";
import { openLexicon } from "../../../runtime/text/zh/lexicon.js";
import { LexiconFault } from "../../../runtime/text/zh/lexicon-check.js";
import { headerLength } from "../../../runtime/text/zh/lexicon-format.js";
import { wordLogpMin } from "../../../runtime/text/zh/word-source.js";
import { toyLexiconFile } from "./toy-lexicon.js";

const lexicon = openLexicon(toyLexiconFile());

t.test("syllables lead to the words that sound like them", async (t) => {
	t.same(wordsAt("bei", "jing"), ["北京", "背景"], "the most common first");
	t.same(wordsAt("tu", "shu", "guan"), ["图书馆"]);
	t.same(wordsAt("tu", "shu", "bei"), []);
	t.same(wordsAt("zai"), ["在", "再"]);
	t.same(wordsAt("yin", "hang"), ["银行"], "the reading that fits the word");
	t.same(wordsAt("yin", "xing"), []);
});

t.test("a character stands under each of its readings", async (t) => {
	t.ok(wordsAt("xing").includes("行"));
	t.ok(wordsAt("hang").includes("行"));
	t.same(wordsAt("le"), ["了", "乐"]);
	t.same(wordsAt("liao"), ["了"]);
});

t.test("words are found by their text, with log-probabilities", async (t) => {
	const beijing = lexicon.wordNumber("北京");
	t.equal(lexicon.wordText(beijing), "北京");
	t.equal(lexicon.wordUnit(beijing, 1), "京".charCodeAt(0));
	const total = 15_641;
	t.ok(Math.abs(lexicon.logpOf("北京") - Math.log(900.5 / total)) < 0.01);
	t.equal(lexicon.wordNumber("东京"), -1);
	t.equal(lexicon.logpOf("东京"), wordLogpMin);
	t.equal(lexicon.logpOf("误"), wordLogpMin, "too rare to be a word");
	t.equal(lexicon.wordNumber(""), -1);
});

t.test("every character is read, whether it is a word or not", async (t) => {
	const read = (character: string) =>
		lexicon
			.readings(character)
			.map(({ syllable, tone }) => `${lexicon.syllables[syllable]}${tone}`);
	t.same(read("绿").slice(0, 1), ["lv4"]);
	t.same(read("猫"), ["mao1", "mao2"]);
	t.same(read("一"), ["yi1", "yi2", "yi4", "yao1"], "tones that change");
	t.same(read("A"), []);
	t.same(read("㐂"), [], "no known reading");
	t.same(read("𠮷"), [], "two UTF-16 units");
	t.same(read(""), []);
});

t.test("a file at an odd position in memory opens too", async (t) => {
	const file = toyLexiconFile();
	const moved = new Uint8Array(file.length + 1);
	moved.set(file, 1);
	t.equal(
		openLexicon(moved.subarray(1)).logpOf("北京"),
		lexicon.logpOf("北京"),
	);
});

t.test("a file that is no lexicon is refused", async (t) => {
	t.throws(() => openLexicon(new Uint8Array(0)), /too short/);
	t.throws(() => openLexicon(new Uint8Array(1000)), /no lexicon/);
	t.throws(() => openLexicon(toyLexiconFile().subarray(0, 5000)), /size/);
	const longer = new Uint8Array([...toyLexiconFile(), 0, 0, 0, 0]);
	t.throws(() => openLexicon(longer), /size/);
	t.throws(() => openLexicon(withInteger(2, 9)), /version 9/);
});

t.test("a damaged file is refused, or works", async (t) => {
	// counts first, then everywhere: an index that points outside must never be followed
	for (let field = 3; field < headerLength; field++)
		for (const value of [0, 1, 0xffff, 0xffffffff])
			refusedOrWorks(t, withInteger(field, value), `${field} ${value}`);
	const integers = toyLexiconFile().length / 4;
	for (let i = 0; i < 400; i++) {
		const at = headerLength + ((i * 7919) % (integers - headerLength));
		const value = [0, 1, 77, 0x7fff, 0xffffffff][i % 5] as number;
		refusedOrWorks(t, withInteger(at, value), `${at} ${value}`);
	}
});

function refusedOrWorks(t: Test, file: Uint8Array, name: string): void {
	try {
		const opened = openLexicon(file);
		for (const text of ["北京", "图书馆", "的"]) {
			const word = opened.wordNumber(text);
			if (word >= 0) opened.wordText(word);
			opened.readings(text);
		}
		for (let i = 0; i < opened.syllables.length; i++) {
			const node = opened.child(opened.root, i);
			if (node >= 0) opened.child(node, i);
		}
	} catch (error) {
		if (!(error instanceof LexiconFault)) t.fail(`${name}: ${error}`);
	}
}

function wordsAt(...syllables: readonly string[]): string[] {
	let node = lexicon.root;
	for (const it of syllables) {
		node = lexicon.child(node, lexicon.syllableNumber(it));
		if (node < 0) return [];
	}
	const words: string[] = [];
	for (let word = lexicon.wordFrom(node); word < lexicon.wordTo(node); word++)
		words.push(lexicon.wordText(word));
	return words;
}

function withInteger(index: number, value: number): Uint8Array {
	const file = toyLexiconFile();
	new Uint32Array(file.buffer)[index] = value;
	return file;
}
