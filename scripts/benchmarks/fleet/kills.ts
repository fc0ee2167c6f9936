/** Messages of three microphones while the broker is killed: how many are lost, and how fast they go. */
import { killAgainAndAgain } from "../../../test/fleet/kills.js";
import { randomOf } from "../../../test/fuzz/random.js";
import { judged, type Measurement } from "../report.js";

const seed = 1;

export async function measureKills(
	folder: string,
	kills: number,
	messages: number,
): Promise<Measurement[]> {
	const sinceMs = performance.now();
	const random = randomOf(seed);
	const result = await killAgainAndAgain(folder, {
		deliveredBefore: Array.from({ length: kills }, random),
		sentences: Math.ceil(messages / kills),
		burst: 10,
	});
	const seconds = (performance.now() - sinceMs) / 1000;
	const isGood = result.lost.length === 0 && result.disorder.length === 0;
	return [
		{
			what: `fleet: ${result.sent} sentences of 3 microphones over ${kills} kills of the broker: lost / twice / out of order`,
			earshot: `${result.lost.length} / ${result.twice} / ${result.disorder.length} in ${seconds.toFixed(0)} s`,
			goal: judged("0 lost", isGood),
		},
	];
}
