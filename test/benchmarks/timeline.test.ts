/** What the live benchmark's figures mean. */
import t from "tap";
import {
	addRestlessness,
	cadencesMs,
	changesOnly,
	firstPartialMs,
	lastChangeMs,
	lettersOnly,
	restlessness,
	type Timeline,
	withoutEcho,
} from "../../scripts/benchmarks/live/timeline.js";

const bounds = { beginMs: 300, firstWordEndMs: 500, endMs: 2000 };

function timeline(...texts: string[]): Timeline {
	const shown = texts.map((text, at) => ({ atMs: 800 + 400 * at, text }));
	const final = shown.pop() ?? { atMs: 0, text: "" };
	return { partials: shown, final };
}

t.test("the first partial counts from the first sound", async (t) => {
	t.equal(firstPartialMs(timeline("a", "ab"), bounds), 500);
	t.equal(
		firstPartialMs(timeline("", "a", "a"), bounds),
		900,
		"an empty text is none",
	);
	t.equal(firstPartialMs(timeline("only a final"), bounds), undefined);
});

t.test("the cadence is that of the speech, not of its end", async (t) => {
	const seen = timeline("a", "b", "c", "d", "e", "f", "final");
	t.same(cadencesMs(seen, bounds), [400, 400, 400]);
	t.same(cadencesMs(timeline("a", "final"), bounds), []);
});

t.test("what is taken back is what no longer stands", async (t) => {
	const seen = timeline("今日", "今日は", "昨日は", "昨日は雨");
	t.same(restlessness(seen), {
		messages: 3,
		takingBack: 1,
		charactersShown: 6,
		charactersTakenBack: 3,
	});
	t.match(restlessness(timeline("a", "ab", "abc"), true), { takingBack: 0 });
	t.match(
		restlessness(timeline("ab.", "abc"), true),
		{ takingBack: 1, charactersTakenBack: 1 },
		"a mark that goes is taken back, too",
	);
	t.match(
		restlessness(timeline("👍🏽 a", "👍🏽 b", "")),
		{ charactersTakenBack: 1 },
		"a character is a code point",
	);
});

t.test("marks, and the final text's own herald, are told apart", async (t) => {
	const seen = timeline("广州市佛山", "广州市，佛山。", "广州市，佛山。");
	t.match(restlessness(seen), { charactersTakenBack: 2 });
	t.match(restlessness(lettersOnly(seen), true), { charactersTakenBack: 0 });
	t.equal(withoutEcho(seen).partials.length, 2, "400 ms before: no echo");
	const echo = { ...seen, final: { atMs: 1201, text: "广州市，佛山。" } };
	t.equal(withoutEcho(echo).partials.length, 1);
	t.same(withoutEcho(timeline("a")), timeline("a"));
});

t.test("repeating a text changes nothing", async (t) => {
	const seen = timeline("", "a", "a", "b", "b", "b");
	t.same(
		changesOnly(seen).partials.map(({ text }) => text),
		["a", "b"],
	);
	t.equal(lastChangeMs(seen), 2000, "when the last text came first");
	t.equal(lastChangeMs(timeline("b", "a", "b")), 1600);
	t.equal(lastChangeMs(timeline("b")), 800);
});

t.test("figures of many add up", async (t) => {
	const one = restlessness(timeline("a", "b", "c"));
	t.same(addRestlessness([one, one]), {
		messages: 4,
		takingBack: 2,
		charactersShown: 4,
		charactersTakenBack: 2,
	});
	t.same(addRestlessness([]).messages, 0);
});
