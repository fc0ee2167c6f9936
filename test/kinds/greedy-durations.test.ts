/** The greedy search of NeMo's transducers finds what the beam search finds with a beam of one. */
import t from "tap";
import { searchGreedily } from "../../runtime/models/nemo-transducer/greedy-search.js";
import {
	type JointNetwork,
	searchDurations,
} from "../../runtime/models/nemo-transducer/search.js";
import { randomOf } from "../published/recorded-random.js";

const vocabulary = 9;
const frames = 40;

/** Scores that depend on the frame and on all tokens before. @param blankBonus how often nothing is said */
function networkOf(
	seed: number,
	durations: number,
	blankBonus: number,
	requests: string[],
): JointNetwork<string> {
	return {
		after: async (state, token) => {
			requests.push(`after ${state} ${token}`);
			return `${state} ${token}`;
		},
		scores: async (at, states) =>
			states.map((state, i) => {
				const key = `${at[i]}:${state}`;
				requests.push(key);
				let sum = seed;
				for (const it of key) sum = (sum * 31 + it.charCodeAt(0)) % 1e9;
				const random = randomOf(sum);
				for (let skipped = 0; skipped < 4; skipped++) random();
				const scores = Float32Array.from(
					{ length: vocabulary + durations },
					() => random() * 4,
				);
				(scores[vocabulary - 1] as number) += blankBonus;
				return scores;
			}),
	};
}

t.test("the same tokens, times, probabilities and runs", async (t) => {
	let emittedCount = 0;
	for (let seed = 1; seed <= 60; seed++) {
		const durations = seed % 3 === 0 ? 0 : 5;
		const bonus = (seed % 4) - 1;
		const beamRequests: string[] = [];
		const requests: string[] = [];
		const options = {
			frames,
			vocabulary,
			beam: 1,
			bias: undefined,
			cancelled: () => false,
		};
		const beam = await searchDurations(
			networkOf(seed, durations, bonus, beamRequests),
			"",
			options,
		);
		const greedy = await searchGreedily(
			networkOf(seed, durations, bonus, requests),
			"",
			options,
		);
		if (beam === "cancelled" || greedy === "cancelled") throw new Error();
		const plain = ({ emitted, total }: typeof greedy) => ({
			total: total.toFixed(6),
			emitted: emitted.map(({ token, frame, logp, total }) => ({
				token,
				frame,
				logp: logp.toFixed(6),
				total: total.toFixed(6),
			})),
		});
		t.strictSame(plain(greedy), plain(beam[0] as typeof greedy), `${seed}`);
		t.strictSame(requests, beamRequests, "nothing is computed twice");
		emittedCount += greedy.emitted.length;
	}
	t.ok(emittedCount > 500, `${emittedCount} tokens`);
});

t.test("it ends when it is cancelled", async (t) => {
	let polls = 0;
	const found = await searchGreedily(networkOf(1, 5, 0, []), "", {
		frames,
		vocabulary,
		cancelled: () => ++polls > 3,
	});
	t.equal(found, "cancelled");
	t.equal(polls, 4);
});
