/**
 * Requests for one text: pauses do not split it, and the audio around the speech belongs to it.
 */
import t from "tap";
import { passageRules } from "../../runtime/segmentation/rules.js";
import { ends, probabilities, run, windows } from "./probabilities.js";

const rateHz = 16_000;

t.test("pauses up to two seconds do not split a passage", async (t) => {
	const events = run(
		passageRules(),
		probabilities([
			[3, 0.01],
			[2, 0.95],
			[1.8, 0.01],
			[2, 0.95],
			[2.2, 0.01],
			[2, 0.95],
		]),
	);
	const [first, second, ...more] = ends(events);
	t.strictSame(more, []);
	t.equal(first?.why, "silence");
	const onset = windows(3) * 512;
	t.equal(first?.segment.startSample, onset - 2 * rateHz, "two seconds before");
	t.equal(
		first?.segment.speechStartSample,
		onset - 0.25 * rateHz,
		"which are not the speech",
	);
	t.equal(
		first?.segment.endSample,
		first && first.segment.speechEndSample + 6 * 512,
		"and the pause behind",
	);
	t.equal(
		first?.segment.samples.length,
		first && first.segment.endSample - first.segment.startSample,
	);
	t.equal(second?.why, "finish");
});

t.test(
	"no sample is in two passages, and no passage is too long",
	async (t) => {
		const events = run(
			passageRules(),
			probabilities([
				[1, 0.01],
				[70, 0.95],
				[5.1, 0.01],
				[1, 0.95],
			]),
		);
		let coveredUntil = 0;
		for (const { segment } of ends(events)) {
			t.ok(segment.startSample >= coveredUntil, `${segment.startSample}`);
			t.ok(segment.samples.length <= 28 * rateHz, `${segment.samples.length}`);
			coveredUntil = segment.endSample;
		}
		t.ok(ends(events).length >= 4);
	},
);
