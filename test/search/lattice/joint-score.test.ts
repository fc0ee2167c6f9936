import t from "tap";
import {
	chosenText,
	jointScore,
	jointWeights,
	rankingWeights,
} from "../../../runtime/search/lattice/joint-score.js";
import {
	mergedSwaps,
	swapped,
	swapsInto,
} from "../../../runtime/search/lattice/span-swaps.js";

const features = {
	recognizer: -10,
	end: -3,
	internal: -20,
	syllables: -5,
	segmentation: -30,
	changed: 2,
};

t.test("the score is a weighted sum", async (t) => {
	const plain = { ...jointWeights, recognizer: 1, end: 2, internal: -0.5 };
	const weights = { ...plain, syllables: 2, segmentation: 0.5, changed: -1 };
	t.equal(jointScore(features, weights), -10 - 6 + 10 - 10 - 15 - 2);
	const unknown = { ...features, syllables: Number.NaN };
	t.equal(jointScore(unknown, weights), Number.NEGATIVE_INFINITY);
});

t.test("a text without the last syllable ends too early", async (t) => {
	// what was recorded for 他他制作了一个Wifi门铃 over a telephone, and for the same without 铃
	const whole = { recognizer: -13.22, end: -0.05, internal: -58.73 };
	const cut = { recognizer: -11.84, end: -7.4, internal: -53.03 };
	const scoreOf = (one: typeof whole, rest: readonly number[]) => {
		const [syllables = 0, segmentation = 0, changed = 0] = rest;
		return jointScore(
			{ ...one, syllables, segmentation, changed },
			jointWeights,
		);
	};
	t.ok(scoreOf(whole, [-9.55, -47.3, 0]) > scoreOf(cut, [-13.86, -41.03, 1]));
});

t.test("ranking needs no scores of the recognizer", async (t) => {
	const ranking = rankingWeights(jointWeights);
	const unknown = { ...features, recognizer: 0, end: 0, internal: 0 };
	const unchanged = { ...unknown, changed: 0 };
	t.ok(jointScore(unchanged, ranking) > jointScore(unknown, ranking) + 2);
	t.equal(ranking.margin, jointWeights.margin);
});

t.test(
	"another text must be clearly better than the recognizer's own",
	async (t) => {
		t.equal(chosenText([-10, -9, -12], 2), 0);
		t.equal(chosenText([-10, -9, -7], 2), 2);
		t.equal(chosenText([-10], 2), 0);
		t.equal(chosenText([], 2), 0);
		t.equal(
			chosenText([Number.NEGATIVE_INFINITY, 3], 2),
			0,
			"nothing to compare",
		);
		t.equal(chosenText([-10, Number.NaN, -1], 2), 2);
	},
);

const text = (units: string, score: number) => ({ units: [...units], score });

t.test("single differences are tried in the best text", async (t) => {
	const swaps = swapsInto(
		[
			text("广州市房地产中间", 0),
			text("广州佛地产中介", -1),
			text("广州市", -9),
		],
		40,
	);
	const tried = swaps.map((it) =>
		swapped([..."广州市房地产中间"], it).join(""),
	);
	t.same(tried, ["广州佛地产中间", "广州市房地产中介", "广州市"]);
	t.equal(swapsInto([text("广州", 0), text("广东", -1)], 0).length, 0);
	t.same(swapsInto([], 5), []);
	const long = text("一二三四五六七八九十".repeat(2), -1);
	t.same(swapsInto([text("广州", 0), long], 5), [], "another sentence");
});

t.test("differences that help are merged", async (t) => {
	const units = [..."甲乙丙丁"];
	const swap = (from: number, to: number, by: string) => ({
		from,
		to,
		units: [...by],
	});
	const merged = mergedSwaps(
		units,
		[
			{ swap: swap(0, 1, "一"), gain: 1 },
			{ swap: swap(2, 4, "三四五"), gain: 3 },
			{ swap: swap(3, 4, "四"), gain: 2 },
			{ swap: swap(1, 1, "加"), gain: -0.5 },
			{ swap: swap(1, 2, ""), gain: -0.6 },
			{ swap: swap(1, 2, "二"), gain: -5 },
		],
		6,
	);
	t.same(
		merged.map((it) => it.join("")),
		["一乙三四五", "一加乙三四五"],
		"the best first, none that overlap",
	);
	t.same(mergedSwaps(units, [], 6), []);
});
