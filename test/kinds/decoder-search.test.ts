/** Greedy and beam search on a toy decoder whose scores are written down. */
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import {
	type DecoderSearchOptions,
	type SteppedDecoder,
	searchDecoder,
} from "../../runtime/models/offline/decoder-search.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";

const symbols = new SymbolTable(
	["<s>", "</s>", "▁an", "▁na", "na", "ry", "好"]
		.map((it, i) => `${it} ${i}\n`)
		.join(""),
);
const end = 1;

type Row = Readonly<Record<string, number>>;

/** @param rows by the tokens before, joined; scores of the tokens that can follow. */
function decoderOf(rows: Readonly<Record<string, Row>>) {
	const open = new Set<string>();
	let steps = 0;
	const decoder: SteppedDecoder<{ readonly text: string }> = {
		step: async (state, token) => {
			steps++;
			const text = state ? `${state.text}${symbols.symbol(token)}` : "";
			const scores = new Float32Array(symbols.size).fill(-20);
			for (const [symbol, score] of Object.entries(rows[text] ?? {}))
				scores[symbols.tokenOf(symbol) ?? 0] = score;
			const next = { text };
			open.add(text);
			return { scores, state: next };
		},
		release: ({ text }) => {
			open.delete(text);
		},
	};
	return { decoder, left: () => open.size, steps: () => steps };
}

async function textOf<State>(
	decoder: SteppedDecoder<State>,
	options: Partial<DecoderSearchOptions> = {},
): Promise<string> {
	const found = await searchDecoder(decoder, {
		startOfText: 0,
		endOfText: end,
		tokensMax: 40,
		beam: 4,
		bias: undefined,
		cancelled: () => false,
		...options,
	});
	if (found === "cancelled") return found;
	return found.map(({ token }) => symbols.symbol(token)).join("");
}

const biasFor = (word: string) =>
	new HotwordGraphs(symbols).biasFor({
		list: { key: word, entries: [word] },
		weight: 0.4,
	});

/** "an na" and its end; "an nary" is a little less likely. */
const two = {
	"": { "▁an": 3, "▁na": 1 },
	"▁an": { "▁na": 3, "</s>": 2.9 },
	"▁an▁na": { "</s>": 3, ry: 1.5 },
	"▁an▁nary": { "</s>": 3 },
	"▁na": { "</s>": 5 },
};

t.test("the likeliest token follows, until the end is likeliest", async (t) => {
	const { decoder, left, steps } = decoderOf(two);
	t.equal(await textOf(decoder), "▁an▁na");
	t.equal(steps(), 3, "one step a token");
	t.equal(left(), 0, "every state is released");
});

t.test("a hotword is found where it is nearly as likely", async (t) => {
	const { decoder, left } = decoderOf(two);
	t.equal(await textOf(decoder, { bias: biasFor("nary") }), "▁an▁nary");
	t.equal(left(), 0, "every state is released");
});

t.test("a list of other words changes nothing", async (t) => {
	// a beam alone would prefer "na": its sum is higher
	const rows = { ...two, "▁an▁na": { "</s>": 1, ry: 0.9, na: 0.9 } };
	const { decoder } = decoderOf(rows);
	t.equal(await textOf(decoder, { bias: biasFor("canary") }), "▁an▁na");
});

t.test("hypotheses far behind cost no step", async (t) => {
	const sure = {
		...two,
		"": { "▁an": 9, "▁na": -3 },
		"▁an": { "▁na": 9, "</s>": -3 },
		"▁an▁na": { "</s>": 9, ry: -3 },
	};
	const { decoder, steps, left } = decoderOf(sure);
	t.equal(await textOf(decoder, { bias: biasFor("canary") }), "▁an▁na");
	t.equal(steps(), 3, "as many as without a list");
	t.equal(left(), 0);
});

t.test("a loop ends the search, and is cut", async (t) => {
	const endless = Object.fromEntries(
		Array.from({ length: 41 }, (_, i) => [`▁an${"na".repeat(i)}`, { na: 3 }]),
	);
	const { decoder, left, steps } = decoderOf({ "": { "▁an": 1 }, ...endless });
	t.equal(await textOf(decoder), "▁anna");
	t.ok(steps() < 20, `${steps()} steps`);
	t.equal(left(), 0);
});

t.test("a hotword that repeats itself for ever is no text", async (t) => {
	const endless = Object.fromEntries(
		Array.from({ length: 40 }, (_, i) => [
			`▁an${"好".repeat(i + 1)}`,
			{ 好: 3, "</s>": 2.9 },
		]),
	);
	const rows = { "": { "▁an": 3 }, "▁an": { "</s>": 3, 好: 1 }, ...endless };
	const { decoder, left } = decoderOf(rows);
	t.equal(await textOf(decoder, { bias: biasFor("好好") }), "▁an");
	t.equal(left(), 0);
});

t.test("the limit of tokens holds", async (t) => {
	const { decoder } = decoderOf(two);
	t.equal(await textOf(decoder, { tokensMax: 1 }), "▁an");
	t.equal(await textOf(decoder, { tokensMax: 0 }), "");
});

t.test("cancelled between two steps", async (t) => {
	const { decoder, left } = decoderOf(two);
	let polls = 0;
	const cancelled = () => ++polls > 2;
	t.equal(await textOf(decoder, { cancelled }), "cancelled");
	t.equal(left(), 0);
});
