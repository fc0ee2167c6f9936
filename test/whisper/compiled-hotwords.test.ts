/** A list is compiled in pieces, and all who wait for it share the work. */
import t from "tap";
import { CompiledHotwordCache } from "../../runtime/models/whisper/compiled-hotwords.js";
import { Vocabulary } from "../../runtime/search/vocabulary.js";

const utf8 = new TextEncoder();
const tokens = ["深", "圳", " Deep", "Mind"].map((it) => utf8.encode(it));

function shelf() {
	return new CompiledHotwordCache(() => Vocabulary.reading(tokens));
}

/** Two Chinese characters each, all different. */
function listOf(count: number) {
	const entries = Array.from({ length: count }, (_, i) =>
		String.fromCodePoint(
			0x4e00 + (i % 2000),
			0x5e00 + Math.floor(i / 2000) * 7,
		),
	);
	return { key: `list of ${count}`, entries: [...entries, "深圳"] };
}

function pieces(work: Iterator<void>): number {
	let count = 0;
	while (!work.next().done) count++;
	return count;
}

t.test("the more words, the more pieces", (t) => {
	const small = pieces(shelf().preparing(listOf(100), "zh"));
	const big = pieces(shelf().preparing(listOf(20_000), "zh"));
	t.ok(small < 40, `${small}`);
	t.ok(big > 1000, `${big}`);
	t.end();
});

t.test("two callers that wait for the same list share the work", (t) => {
	const one = shelf();
	const list = listOf(2000);
	const alone = pieces(shelf().preparing(list, "zh"));
	const first = one.preparing(list, "zh");
	const second = one.preparing(list, "zh");
	let together = 0;
	for (let open = 2; open > 0; ) {
		open = 2;
		for (const work of [first, second])
			if (work.next().done) open--;
			else together++;
	}
	t.equal(together, alone);
	t.equal(pieces(one.preparing(list, "zh")), 0, "it is there");
	t.end();
});

t.test(
	"a caller that gives up leaves the rest to the next one, or to the first use",
	(t) => {
		const one = shelf();
		const list = listOf(500);
		const impatient = one.preparing(list, "zh");
		for (let i = 0; i < 5; i++) impatient.next();
		const { graph, sounds } = one.of(list, "zh");
		t.notOk(graph.graph.isEmpty);
		t.equal(sounds?.writings.at(-1), "深圳");
		t.end();
	},
);

t.test("a list is compiled separately for each language", (t) => {
	const one = shelf();
	const list = listOf(10);
	t.ok(one.of(list, "zh").sounds);
	t.notOk(one.of(list, "ja").sounds, "only Chinese is read by its sounds");
	t.equal(one.of(list, "zh").graph, one.of(list, "zh").graph, "made once");
	t.end();
});
