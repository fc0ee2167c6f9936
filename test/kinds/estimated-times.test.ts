/** Words of models that do not say when their tokens were said: their times are estimates, in proportion to the text. */
import t from "tap";
import {
	OfflineRecognizer,
	offlineCapabilities,
} from "../../runtime/models/offline/recognizer.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";
import { speechPieces } from "./cases.js";

const symbols = new SymbolTable(
	["<unk>", "\u2581hello", ",", "\u2581wor", "ld", ".", "?"]
		.map((symbol, token) => `${symbol} ${token}\n`)
		.join(""),
);
const samples = speechPieces().at(-1) as Float32Array;

/** What is recognized where a model writes these tokens. */
async function wordsOf(...tokens: number[]) {
	const found = tokens.map((token) => ({ token, seconds: 0, logp: -0.1 }));
	const recognizer = new OfflineRecognizer({
		name: "untimed",
		languages: ["en-US"],
		capabilities: { ...offlineCapabilities, search: "greedy" },
		filterbank: undefined,
		model: {
			symbols,
			togetherMax: 1,
			untimed: true,
			tokensOf: async (requests) => requests.map(() => found),
			close: async () => {},
		},
	});
	const result = await recognizer.recognize({
		samples,
		language: "en-US",
		beam: 1,
		punctuation: true,
		words: true,
	});
	return result === "cancelled" ? [] : result.words;
}

t.test("the last word lasts, also where a mark ends the text", async (t) => {
	const seconds = samples.length / 16_000;
	for (const tokens of [
		[1, 3, 4],
		[1, 2, 3, 4, 5],
		[1, 3, 4, 5, 6],
	]) {
		const words = await wordsOf(...tokens);
		const [first, last] = words.filter(({ kind }) => kind === "normal");
		t.match([first?.text, last?.text], [/hello/i, "world"]);
		for (const it of [first, last])
			t.ok(
				Number(it?.endSeconds) > Number(it?.startSeconds) + 0.1,
				`${tokens}`,
			);
		t.ok(Number(last?.startSeconds) >= Number(first?.endSeconds));
		t.ok(Number(last?.endSeconds) <= seconds);
		for (const mark of words.filter(({ kind }) => kind === "punc").slice(-1))
			t.ok(mark.startSeconds >= Number(last?.endSeconds));
	}
});
