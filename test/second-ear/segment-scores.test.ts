/** Which of a segment's candidates the recognizer is asked about. */
import t from "tap";
import { SegmentScores } from "../../runtime/models/second-ear/segment-scores.js";
import type { Candidate } from "../../runtime/search/lattice/candidates.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";

const candidate = (text: string): Candidate => ({
	text,
	units: [...text],
	wanted: [],
	segmentation: 0,
	changed: 0,
	latticeScore: undefined,
	from: "lattice",
});

/** @param logps of texts, given the audio; without audio a text has ten times as much. */
function scoresOf(logps: Readonly<Record<string, number>>) {
	const requested: string[] = [];
	const scores = new SegmentScores(
		{ syllables: [], score: async (all) => all.map(() => 0) },
		{
			score: async (texts, { internal = true } = {}) => {
				if (internal) requested.push(...texts);
				return texts.map((text) => ({
					logp: logps[text] ?? 0,
					endLogp: 0,
					internalLogp: internal ? 10 * (logps[text] ?? 0) : Number.NaN,
				}));
			},
		},
		{ ...jointWeights, internal: -0.1 },
	);
	const score = async (...texts: string[]) =>
		scores.score(await scores.cheapScores(texts.map(candidate)));
	return { scores, score, requested };
}

t.test("texts far behind are not scored without audio", async (t) => {
	const { scores, score, requested } = scoresOf({ a: -3, b: -4, c: -20 });
	await score("a", "b", "c");
	t.same(requested, ["a", "b"]);
	t.same(
		scores.scored.map((it) => it.features.internal),
		[-30, -40, -30],
	);
	await score("d");
	t.same(requested, ["a", "b", "d"], "the own text is asked about once");
	t.equal(scores.find(candidate("d"))?.score, 0);
	t.equal(scores.find(candidate("e")), undefined);
});

t.test(
	"nothing is scored without audio where only the own text is near",
	async (t) => {
		const { scores, score, requested } = scoresOf({ a: -3, b: -9 });
		await score("a", "b");
		t.same(requested, []);
		t.ok(scores.scored.every((it) => it.features.internal === 0));
		const [own, other] = scores.scored;
		t.ok((own?.score ?? 0) > (other?.score ?? 0) + 5);
	},
);

t.test("a better text than the own one, alone: both are", async (t) => {
	const { score, requested } = scoresOf({ a: -30, b: -3 });
	await score("a", "b");
	t.same(requested, ["a", "b"]);
});
