/** The benchmark's metric on cases that can be counted by hand. */
import t from "tap";
import {
	diarizationErrors,
	errorRate,
	readRttm,
	type SpokenTurn,
} from "../../scripts/benchmarks/speakers/diarization-error.js";

function turn(text: string): SpokenTurn {
	const [speaker = "", start, end] = text.split(" ");
	return { speaker, startSeconds: Number(start), endSeconds: Number(end) };
}

const reference = ["a 0 4", "b 4 8", "a 8 10"].map(turn);

function rate(found: string[], collar = 0, spoken = reference): number {
	const errors = diarizationErrors(spoken, found.map(turn), collar);
	return Math.round(errorRate(errors) * 1e6) / 1e6;
}

t.test("names mean nothing: the best matching is taken", async (t) => {
	t.equal(rate(["x 0 4", "y 4 8", "x 8 10"]), 0);
	t.equal(rate(["a 4 8", "b 0 4", "b 8 10"]), 0);
});

t.test("missed, false alarm and confusion are counted apart", async (t) => {
	const found = ["x 1 4", "x 4 5", "y 5 8", "x 8 10", "y 10 12"].map(turn);
	const errors = diarizationErrors(reference, found, 0);
	t.same(errors, { spoken: 10, missed: 1, falseAlarm: 2, confused: 1 });
	t.equal(errorRate(errors), 0.4);
});

t.test("one label for all is right for whoever speaks most", async (t) => {
	t.equal(rate(["x 0 10"]), 0.4);
	t.equal(rate([]), 1);
});

t.test("the greedy matching is not the best one", async (t) => {
	// x shares 3 s with a and 2.9 s with b, y only 2.8 s with a
	const spoken = ["a 0 5.8", "b 5.8 8.7"].map(turn);
	const found = ["x 0 3", "y 3 5.8", "x 5.8 8.7"];
	t.equal(rate(found, 0, spoken), Math.round((3 / 8.7) * 1e6) / 1e6);
});

t.test("who speaks at the same time counts for each", async (t) => {
	const spoken = ["a 0 4", "b 2 6"].map(turn);
	t.equal(rate(["x 0 3", "y 3 6"], 0, spoken), 0.25); // 2 of 8 s missed
	t.equal(rate(["x 0 4", "y 2 6"], 0, spoken), 0);
});

t.test("the collar lets borders be a little off", async (t) => {
	const late = ["x 0.2 4.2", "y 4.2 8.2", "x 8.2 10.2"];
	t.equal(rate(late), 0.08);
	t.equal(rate(late, 0.25), 0);
	t.equal(rate(["x 0 5", "y 5 8", "x 8 10"], 0.25), 0.088235); // 0.75 of 8.5 s
});

t.test("RTTM is read", async (t) => {
	const text =
		"SPEAKER f 1 6.690 0.430 <NA> <NA> anna <NA> <NA>\nSPKR-INFO f 1\n";
	t.same(readRttm(text), [turn("anna 6.69 7.12")]);
});
