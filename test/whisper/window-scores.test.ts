/** Scores of texts that differ in one token, joined from those of a scorer that is written down. */
import t from "tap";
import type { Tensor } from "../../runtime/models/inference-port.js";
import { WindowScores } from "../../runtime/models/whisper/window-scores.js";

t.test("without audio, what is certain is not unknown", async (t) => {
	for (const [score, expected] of [
		[0, 0],
		[-0.5, -0.5],
		[Number.NaN, -6], // the scorer does not know the token
	] as const) {
		const scores = new WindowScores(
			{ score: async () => () => score },
			{
				prompt: [],
				bias: {} as Tensor,
				cross: () => ({}),
				checkCancelled: () => {},
			},
			{ tokens: [1, 2], logp: [-1, -1, -1] },
		);
		const windows = [{ from: 0, to: 1, tokens: [3], end: 2 }];
		await scores.score(windows, "withoutAudio");
		const [changed] = scores.joined(windows, "withoutAudio");
		t.equal(changed, expected, `${score}`);
	}
});
