import t from "tap";
import {
	type HotwordSpan,
	mergeHypotheses,
} from "../../runtime/search/merge-hypotheses.js";

/** Tokens are characters, each of which has a probability; the end's comes last. */
const said = (text: string, logp: readonly number[]) => ({
	tokens: [...text].map((one) => one.codePointAt(0) as number),
	logp: [...logp, -0.1],
});
const textOf = ({ tokens }: { readonly tokens: readonly number[] }) =>
	String.fromCodePoint(...tokens);
const even = (text: string, logp = -0.1) =>
	said(
		text,
		[...text].map(() => logp),
	);
const span = (from: number, to: number, bonus: number): HotwordSpan => ({
	from,
	to,
	bonus,
});

t.test("a place with a hotword is taken, one without is not", async (t) => {
	const plain = even("甲乙丙丁戊己庚");
	const favoured = said(
		"甲子丙丁戊午庚",
		[-0.1, -1, -0.1, -0.1, -0.1, -0.05, -0.1],
	);
	t.equal(
		textOf(mergeHypotheses(plain, favoured, [], [span(1, 2, 2)])),
		"甲子丙丁戊己庚",
	);
	t.equal(mergeHypotheses(plain, favoured, [], []), plain);
});

t.test(
	"the bonus must outweigh what is less likely, there and behind",
	async (t) => {
		const plain = even("甲乙丙丁戊");
		const at = (here: number, behind: number) =>
			said("甲子丙丁戊", [-0.1, here, behind, -0.1, -0.1]);
		const taken = (favoured: ReturnType<typeof at>, bonus: number) =>
			textOf(mergeHypotheses(plain, favoured, [], [span(1, 2, bonus)]))[1] ===
			"子";
		t.ok(taken(at(-1.9, -0.1), 2));
		t.notOk(taken(at(-2.2, -0.1), 2));
		t.notOk(taken(at(-1.5, -1), 2), "the next token suffers");
	},
);

t.test("hotwords of the plain hypothesis count as well", async (t) => {
	const plain = even("甲乙丙");
	const favoured = even("甲子丙");
	const merged = mergeHypotheses(
		plain,
		favoured,
		[span(1, 2, 3)],
		[span(1, 2, 2)],
	);
	t.equal(merged, plain);
});

t.test("a hotword across two differences takes both or none", async (t) => {
	const plain = even("甲乙丙丁戊");
	const favoured = said("甲子丙丑戊", [-0.1, -0.1, -0.1, -3, -0.1]);
	const merged = (bonus: number) =>
		textOf(mergeHypotheses(plain, favoured, [], [span(1, 4, bonus)]));
	t.equal(merged(4), "甲子丙丑戊");
	t.equal(merged(2), "甲乙丙丁戊", "not the better half alone");
});

t.test("log-probabilities go with their tokens, the end's stays", async (t) => {
	const plain = said("甲乙丙", [-0.1, -0.2, -0.3]);
	const favoured = said("甲子丑丙", [-0.1, -0.4, -0.5, -0.3]);
	const { tokens, logp } = mergeHypotheses(
		plain,
		favoured,
		[],
		[span(1, 3, 3)],
	);
	t.equal(textOf({ tokens }), "甲子丑丙");
	t.same(logp, [-0.1, -0.4, -0.5, -0.3, -0.1]);
});

t.test("texts of other lengths, and of none", async (t) => {
	t.equal(
		textOf(
			mergeHypotheses(even("甲乙"), even("甲乙子丑"), [], [span(2, 4, 5)]),
		),
		"甲乙子丑",
	);
	t.equal(
		textOf(mergeHypotheses(even("乙丙"), even("子丙"), [], [span(0, 1, 5)])),
		"子丙",
	);
	t.equal(
		textOf(mergeHypotheses(even(""), even("子"), [], [span(0, 1, 5)])),
		"子",
	);
	const plain = even("甲");
	t.equal(mergeHypotheses(plain, even(""), [], []), plain);
});
