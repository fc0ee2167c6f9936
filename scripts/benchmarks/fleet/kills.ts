/** Messages of three microphones while the broker is killed: how many are lost, and how fast they go. */
import { killAgainAndAgain } from "../../../test/fleet/kills.js";
import { randomOf } from "../../../test/fuzz/random.js";
import { type Figure, judged } from "../report.js";

const seed = 1;

export async function measureKills(
	folder: string,
	kills: number,
	messages: number,
): Promise<Figure[]> {
	const sinceMs = performance.now();
	const random = randomOf(seed);
	const told = await killAgainAndAgain(folder, {
		deliveredBefore: Array.from({ length: kills }, random),
		sentences: Math.ceil(messages / kills),
		burst: 10,
	});
	const seconds = (performance.now() - sinceMs) / 1000;
	const isGood = told.lost.length === 0 && told.disorder.length === 0;
	return [
		{
			what: `fleet: ${told.said} sentences of 3 microphones over ${kills} kills of the broker: lost / twice / out of order`,
			earshot: `${told.lost.length} / ${told.twice} / ${told.disorder.length} in ${seconds.toFixed(0)} s`,
			goal: judged("0 lost", isGood),
		},
	];
}
