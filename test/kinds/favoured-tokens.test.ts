/** What of a search that favours hotwords is used: toy texts whose scores are written down. */
import t from "tap";
import {
	type ScoredText,
	withHotwords,
} from "../../runtime/models/favoured-tokens.js";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";

const tableOf = (symbols: readonly string[], units: "text" | "pinyin") =>
	new SymbolTable(symbols.map((it, i) => `${it} ${i}\n`).join(""), units);

const characters = tableOf([..."<豹爆猫跑了很快车▁"], "text");
const words = tableOf(["▁the", "▁nor", "th", "land", "▁is", "▁far"], "text");
const syllables = tableOf(
	["zh", "ǎo", "n", "uǎn", "uán", "ù", "w", "ú", "l"],
	"pinyin",
);

interface Case {
	readonly symbols: SymbolTable;
	readonly hotwords: readonly string[];
	/** A symbol, or a symbol and the natural logarithm of what it costs. */
	readonly plain: readonly (string | readonly [string, number])[];
	readonly favoured: readonly (string | readonly [string, number])[];
}

function chosen({ symbols, hotwords, plain, favoured }: Case) {
	const bias = new HotwordGraphs(symbols).biasFor({
		list: { key: hotwords.join(), entries: hotwords },
		weight: 0.4,
	});
	if (!bias) throw new Error("no hotword can be matched");
	const read = (text: Case["plain"]): ScoredText => {
		let total = 0;
		const tokens = text.map((it, i) => {
			const [symbol, logp] = typeof it === "string" ? [it, -0.1] : it;
			total += logp;
			const token = symbols.tokenOf(symbol) ?? 0;
			return { token, logp, total, seconds: i };
		});
		return { tokens, total };
	};
	const own = read(plain);
	const found = withHotwords(own, read(favoured), bias);
	return {
		isPlain: found === own.tokens,
		text: found.map(({ token }) => symbols.symbol(token)).join(""),
		seconds: found.map(({ seconds }) => seconds),
	};
}

t.test("without a hotword in it nothing of the favoured text is used", (t) => {
	const { isPlain } = chosen({
		symbols: characters,
		hotwords: ["豹鑫"],
		plain: ["爆", "猫", "很", "快"],
		favoured: ["豹", "猫", "很", "快"],
	});
	t.ok(isPlain);
	t.end();
});

t.test("a hotword changes its own place only", (t) => {
	const { text } = chosen({
		symbols: characters,
		hotwords: ["豹猫"],
		plain: [["爆", -0.5], "猫", "很", "快", "跑", "了", "车"],
		favoured: [["豹", -2], "猫", "很", "快", "跑", "了", ["快", -0.01]],
	});
	t.equal(text, "豹猫很快跑了车");
	t.end();
});

t.test("what earns less than it costs is an accident", (t) => {
	const { isPlain } = chosen({
		symbols: characters,
		hotwords: ["豹猫"],
		plain: ["爆", "猫", "很", "快"],
		favoured: [["豹", -9], "猫", "很", "快"],
	});
	t.ok(isPlain);
	t.end();
});

t.test("what the text loses behind it counts as well", (t) => {
	const { isPlain } = chosen({
		symbols: characters,
		hotwords: ["豹猫"],
		plain: ["爆", "猫", "很", "快"],
		favoured: [["豹", -2], "猫", ["很", -6], "快"],
	});
	t.ok(isPlain);
	t.end();
});

t.test("words are compared whole", (t) => {
	const one = {
		symbols: words,
		plain: ["▁the", "▁nor", "th", "▁is", "▁far"],
		favoured: ["▁the", "▁nor", ["land", -1], "▁is", "▁far"],
	} as const;
	t.equal(
		chosen({ ...one, hotwords: ["Norland"] }).text,
		"▁the▁norland▁is▁far",
	);
	t.ok(chosen({ ...one, hotwords: ["land"] }).isPlain);
	t.end();
});

t.test("pinyin is compared syllable by syllable", (t) => {
	const { text } = chosen({
		symbols: syllables,
		hotwords: ["暖路"],
		plain: ["w", "ú", "n", "uán", "l", "ù"],
		favoured: ["w", "ú", "n", ["uǎn", -1], "l", "ù"],
	});
	t.equal(text, "wúnuǎnlù");
	t.end();
});

t.test("times never go back", (t) => {
	const { text, seconds } = chosen({
		symbols: characters,
		hotwords: ["豹猫"],
		plain: ["爆", "很", "快", "跑"],
		favoured: ["豹", "猫", "很", "快", "跑"],
	});
	t.equal(text, "豹猫很快跑");
	t.same(seconds, [0, 1, 1, 2, 3]);
	t.end();
});
