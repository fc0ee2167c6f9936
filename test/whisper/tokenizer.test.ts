import { readFileSync } from "node:fs";
import t from "tap";
import { WhisperTokenizer } from "../../runtime/models/whisper/tokenizer.js";
import { missing, modelDirectory, readRanks } from "./packages.js";
import {
	leadByte,
	type Scripted,
	scriptedRequest,
	scriptedWhisper,
} from "./scripted-whisper.js";

const golden = "../shared/golden/whisper-base-fp32.json";

/** By js-tiktoken 1.0.21 with Whisper's ranks. */
const encoded: readonly (readonly [text: string, tokens: number[]])[] = [
	[
		" He might've made 1,250  copies",
		[634, 1062, 600, 1027, 502, 11, 23538, 220, 14341],
	],
	["我们明天去北京", [15003, 11100, 6135, 6734, 26668, 31375]],
	[
		"エスパドリーユ🎤",
		[26215, 9550, 23268, 11195, 12376, 15266, 99, 28864, 97],
	],
	["\n\n  café", [198, 198, 220, 25118]],
];

const likely = (word: string): Scripted => [word, -0.1];

/** All bytes, and "ab" and "あ" as separate tokens. */
function smallRanks(): string {
	const lines = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
	return [...lines, Buffer.from("ab"), Buffer.from("あ")]
		.map((bytes, rank) => `${bytes.toString("base64")} ${rank}`)
		.join("\n");
}

t.test("text is encoded and decoded", (t) => {
	const tokenizer = new WhisperTokenizer(smallRanks());
	t.same(tokenizer.encode("ab"), [256]);
	t.same(tokenizer.encode("あ"), [257]);
	for (const text of ["abba", "あいう", "🎤 café, it's 3.5", ""])
		t.equal(tokenizer.decode(tokenizer.encode(text)), text);
	t.end();
});

t.test("a partial character is never shown", (t) => {
	const tokenizer = new WhisperTokenizer(smallRanks());
	const tokens = [0x61, ...Buffer.from("い")];
	t.equal(tokenizer.decode(tokens.slice(0, 2)), "a");
	t.equal(tokenizer.decode(tokens.slice(0, 3)), "a");
	t.equal(tokenizer.decode(tokens), "aい");
	t.equal(tokenizer.decode([0xe3, 0x81, ...tokens]), "aい");
	t.equal(tokenizer.decode([...tokens, 0x84, 0x61]), "aいa");
	t.end();
});

t.test("a text has no character that stands for missing ones", async (t) => {
	const script = { 10: [" nine", leadByte, " ten"].map(likely) };
	const { recognizer } = await scriptedWhisper(script);
	const found = await recognizer.recognize(scriptedRequest);
	if (found === "cancelled") throw new Error("cancelled");
	t.equal(found.text, "nine ten");
	t.same(
		found.words.map(({ text }) => text),
		["nine", "ten"],
	);
});

t.test("pieces are split where tokens and characters both end", (t) => {
	const tokenizer = new WhisperTokenizer(smallRanks());
	const tokens = [256, ...Buffer.from("い"), 257];
	t.same(tokenizer.pieces(tokens), [
		{ text: "ab", tokenStart: 0, tokenEnd: 1 },
		{ text: "い", tokenStart: 1, tokenEnd: 4 },
		{ text: "あ", tokenStart: 4, tokenEnd: 5 },
	]);
	t.end();
});

t.test("an unfinished character belongs to no piece's text", (t) => {
	const tokenizer = new WhisperTokenizer(smallRanks());
	const ab = { text: "ab", tokenStart: 0, tokenEnd: 1 };
	t.same(tokenizer.pieces([256, 0xe3]), [ab]);
	t.same(tokenizer.pieces([256, 0xe3, 257]), [
		ab,
		{ text: "あ", tokenStart: 2, tokenEnd: 3 },
	]);
	t.end();
});

t.test("nor does the character that stands for its bytes", (t) => {
	const tokenizer = new WhisperTokenizer(`${smallRanks()}\n77+9 258`);
	t.same(tokenizer.pieces([256, 258, 257]), [
		{ text: "ab", tokenStart: 0, tokenEnd: 1 },
		{ text: "あ", tokenStart: 2, tokenEnd: 3 },
	]);
	t.end();
});

t.test("control tokens have no text", (t) => {
	const tokenizer = new WhisperTokenizer(smallRanks());
	t.equal(tokenizer.decode([50258, 256, 50257]), "ab");
	t.end();
});

t.test("a file that is not a list of ranks is refused", (t) => {
	t.throws(() => new WhisperTokenizer("<html>"), /not a rank/);
	t.throws(() => new WhisperTokenizer("YQ== 0\nYg== x"), /not a rank/);
	for (const line of ["YQ==0", "YQ=== 0", "YQ== ", "YQ==  0", "YQ== 1234567"])
		t.throws(() => new WhisperTokenizer(line), /not a rank/, line);
	t.end();
});

t.test("white space around a line is no part of it", (t) => {
	const spaced = smallRanks().replaceAll("\n", " \t\r\n\n  ");
	const tokenizer = new WhisperTokenizer(`\n${spaced}\n`);
	t.same(tokenizer.encode("ab"), [256]);
	t.equal(tokenizer.decode([256, 257]), "abあ");
	t.end();
});

t.test(
	"Whisper's own tokens",
	{ skip: missing(modelDirectory, golden) },
	(t) => {
		const tokenizer = new WhisperTokenizer(readRanks(modelDirectory));
		for (const [text, tokens] of encoded)
			t.same(tokenizer.encode(text), tokens, text);
		for (const { greedy, beam5 } of JSON.parse(readFileSync(golden, "utf8"))
			.clips)
			for (const { tokens, text } of [greedy, beam5]) {
				t.equal(tokenizer.decode(tokens), text);
				const pieces = tokenizer.pieces(tokens);
				t.equal(pieces.map((piece) => piece.text).join(""), text);
			}
		t.end();
	},
);
