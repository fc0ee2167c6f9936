import t from "tap";
import {
	applyEdits,
	type Draft,
	type Edit,
	type PlacedWord,
} from "../../runtime/text/edits.js";
import { seededRandom } from "../features/seeded-random.js";

/** Words at the text's runs of letters and marks, 100 ms each. */
function draftOf(text: string, pattern = /[\p{L}\p{N}']+|\p{P}+/gu): Draft {
	const words = [...text.matchAll(pattern)].map(
		({ 0: word, index }, i): PlacedWord => ({
			from: index,
			to: index + word.length,
			startMs: 100 * i,
			endMs: 100 * i + 100,
			kind: /^\p{P}/u.test(word) ? "punc" : "normal",
			confidence: 0.5,
		}),
	);
	return { text, words };
}

function told({ text, words }: Draft): string {
	return words
		.map((it) => `${text.slice(it.from, it.to)}@${it.startMs}-${it.endMs}`)
		.join(" ");
}

t.test("an edit inside a word changes the word only", async (t) => {
	const edited = applyEdits(draftOf("a bcd e"), [
		{ from: 3, to: 4, text: "xyz" },
	]);
	t.equal(edited.text, "a bxyzd e");
	t.equal(told(edited), "a@0-100 bxyzd@100-200 e@200-300");
});

t.test("words that an edit covers become one", async (t) => {
	const edited = applyEdits(draftOf("pay twenty three dollars now"), [
		{ from: 4, to: 24, text: "$23" },
	]);
	t.equal(told(edited), "pay@0-100 $23@100-400 now@400-500");
});

t.test("several words in place of others share their time", async (t) => {
	const edited = applyEdits(draftOf("an earshot b"), [
		{ from: 3, to: 10, text: "ear shot" },
	]);
	t.equal(edited.text, "an ear shot b");
	t.equal(told(edited), "an@0-100 ear@100-138 shot@150-200 b@200-300");
});

t.test("what is taken out leaves no word behind", async (t) => {
	const edited = applyEdits(draftOf("Um, I see."), [
		{ from: 0, to: 4, text: "" },
	]);
	t.equal(edited.text, "I see.");
	t.equal(told(edited), "I@200-300 see@300-400 .@400-500");
});

t.test("letters that are put in join a word, marks stand alone", async (t) => {
	const letters = applyEdits(draftOf("one two"), [
		{ from: 4, to: 4, text: "x" },
		{ from: 7, to: 7, text: "y" },
	]);
	t.equal(told(letters), "one@0-100 xtwoy@100-200");
	const marks = applyEdits(draftOf("one two"), [
		{ from: 3, to: 3, text: "," },
		{ from: 7, to: 7, text: "." },
	]);
	t.equal(told(marks), "one@0-100 ,@100-100 two@100-200 .@200-200");
	t.same(
		marks.words.map((it) => it.kind),
		["normal", "punc", "normal", "punc"],
	);
});

t.test("the confidence of joined words counts by their length", async (t) => {
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

t.test("any edits keep the words in order, whole and covering", async (t) => {
	const { random, seed } = seededRandom();
	t.comment(`EARSHOT_TEST_SEED=${seed}`);
	const below = (limit: number) => Math.floor(random() * limit);
	const alphabet = [..."ab c，。 三百个𠮷é，-3. "];
	const texts = (length: number) =>
		Array.from({ length }, () => alphabet[below(alphabet.length)]).join("");
	for (let round = 0; round < 3000; round++) {
		const text = texts(below(20));
		const draft = draftOf(text, /[\p{L}\p{N}]{1,3}|[^\s\p{L}\p{N}]+/gu);
		const edits: Edit[] = [];
		for (let at = below(4); at <= text.length; ) {
			const to = Math.min(text.length, at + below(4));
			edits.push({ from: at, to, text: texts(below(4)) });
			at = to + below(5);
		}
		const edited = applyEdits(draft, edits);
		const why = { seed, round, text, edits, edited };
		const plain = applyEdits({ text, words: [] }, edits).text;
		if (edited.text !== plain) t.fail("the same text", why);
		let end = 0;
		let clock = 0;
		let uncovered = "";
		for (const word of edited.words) {
			const written = edited.text.slice(word.from, word.to);
			uncovered += edited.text.slice(end, word.from);
			if (word.from < end || written === "" || written !== written.trim())
				t.fail("in order and whole", why);
			if (word.startMs < clock || word.endMs < word.startMs)
				t.fail("times run on", why);
			if (word.confidence !== 0.5) t.fail("confidence is kept", why);
			end = word.to;
			clock = word.startMs;
		}
		uncovered += edited.text.slice(end);
		if (draft.words.length > 0 && uncovered.trim() !== "")
			t.fail("covering", { ...why, uncovered });
	}
	t.pass("3000 rounds");
});
