import t from "tap";
import {
	applyEdits,
	type Draft,
	type PlacedWord,
} from "../../runtime/text/edits.js";
import { holds } from "../fuzz/holds.js";
import { draftOf, wordsStayWhole } from "./edits.property.js";

function printed({ text, words }: Draft): string {
	return words
		.map((it) => `${text.slice(it.from, it.to)}@${it.startMs}-${it.endMs}`)
		.join(" ");
}

t.test("an edit inside a word changes only the word", async (t) => {
	const edited = applyEdits(draftOf("a bcd e"), [
		{ from: 3, to: 4, text: "xyz" },
	]);
	t.equal(edited.text, "a bxyzd e");
	t.equal(printed(edited), "a@0-100 bxyzd@100-200 e@200-300");
});

t.test("words that an edit covers become one", async (t) => {
	const edited = applyEdits(draftOf("pay twenty three dollars now"), [
		{ from: 4, to: 24, text: "$23" },
	]);
	t.equal(printed(edited), "pay@0-100 $23@100-400 now@400-500");
});

t.test("several words that replace others share their time", async (t) => {
	const edited = applyEdits(draftOf("an earshot b"), [
		{ from: 3, to: 10, text: "ear shot" },
	]);
	t.equal(edited.text, "an ear shot b");
	t.equal(printed(edited), "an@0-100 ear@100-138 shot@150-200 b@200-300");
});

t.test("removed text leaves no word behind", async (t) => {
	const edited = applyEdits(draftOf("Um, I see."), [
		{ from: 0, to: 4, text: "" },
	]);
	t.equal(edited.text, "I see.");
	t.equal(printed(edited), "I@200-300 see@300-400 .@400-500");
});

t.test("inserted letters join a word, marks stand alone", async (t) => {
	const letters = applyEdits(draftOf("one two"), [
		{ from: 4, to: 4, text: "x" },
		{ from: 7, to: 7, text: "y" },
	]);
	t.equal(printed(letters), "one@0-100 xtwoy@100-200");
	const marks = applyEdits(draftOf("one two"), [
		{ from: 3, to: 3, text: "," },
		{ from: 7, to: 7, text: "." },
	]);
	t.equal(printed(marks), "one@0-100 ,@100-100 two@100-200 .@200-200");
	t.same(
		marks.words.map((it) => it.kind),
		["normal", "punc", "normal", "punc"],
	);
});

t.test("the confidence of joined words is weighted by length", async (t) => {
	const draft = draftOf("abc d");
	const [first, second] = draft.words as [PlacedWord, PlacedWord];
	const edited = applyEdits(
		{
			text: draft.text,
			words: [
				{ ...first, confidence: 1 },
				{ ...second, confidence: 0.2 },
			],
		},
		[{ from: 0, to: 5, text: "x" }],
	);
	t.equal(edited.words[0]?.confidence, 0.8);
});

await holds(t, wordsStayWhole(), 2000);
