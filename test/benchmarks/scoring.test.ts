/** What counts as an error decides every accuracy figure, so it is pinned here. */
import t from "tap";
import {
	countErrors,
	editDistance,
	errorPercent,
	scoringUnits,
} from "../../scripts/benchmarks/scoring.js";

t.test("spelling, width, case and punctuation are no errors", async (t) => {
	t.same(
		countErrors(
			"AND SO MY FELLOW AMERICANS",
			"And so, my fellow Americans.",
			"en",
		),
		{ errors: 0, units: 5 },
	);
	t.same(countErrors("它是ｗｉｆｉ门铃", "它，是 Wi-Fi 门铃。", "zh"), {
		errors: 0,
		units: 8,
	});
	t.same(countErrors("「そうか」と、彼は", "そうかと彼は", "ja"), {
		errors: 0,
		units: 6,
	});
});

t.test(
	"traditional characters are the same as simplified ones in Chinese only",
	async (t) => {
		t.equal(countErrors("广州市", "廣州市", "zh").errors, 0);
		t.equal(countErrors("広州市", "廣州市", "ja").errors, 1);
	},
);

t.test("a number is the same in digits and in words", async (t) => {
	t.equal(countErrors("in eighteen thirteen", "In 1813.", "en").errors, 0);
	t.equal(countErrors("slide fifty three", "slide 53", "en").errors, 0);
	t.same(scoringUnits("2,017", "en"), ["two", "thousand", "seventeen"]);
	t.same(
		scoringUnits("1900 and 105 and 007", "en").join(" "),
		"nineteen hundred and one hundred five and zero zero seven",
	);
	t.equal(countErrors("一天只颁发十八块", "一天只颁发18块", "zh").errors, 0);
	t.equal(countErrors("19500平方公里", "一万九千五百平方公里", "zh").errors, 0);
	t.equal(countErrors("100米和200米", "一百米和两百米", "zh").errors, 0);
	t.equal(countErrors("2011年8月", "二零一一年八月", "zh").errors, 0);
	t.equal(
		scoringUnits("10 110 1005 30040", "zh").join(""),
		"十一百一十一千零五三万零四十",
	);
});

t.test("a wrong number is an error", async (t) => {
	t.equal(countErrors("2017年", "2011年", "zh").errors, 1);
	t.equal(countErrors("five five", "5", "en").errors, 1);
});

t.test("substitutions, deletions and insertions count one each", async (t) => {
	t.equal(editDistance([..."kitten"], [..."sitting"]), 3);
	t.equal(editDistance([], [..."abc"]), 3);
	t.equal(editDistance([..."abc"], []), 3);
	t.equal(countErrors("a gold ring", "", "en").errors, 3);
});

t.test("error rates weigh clips by their length", async (t) => {
	t.equal(
		errorPercent([
			{ errors: 1, units: 1 },
			{ errors: 0, units: 99 },
		]),
		1,
	);
});
