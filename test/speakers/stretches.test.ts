/** Regions divided at pauses, and turns put together again. */
import t from "tap";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	coveringTurns,
	dividedRegions,
	stretchesOf,
} from "../../runtime/speakers/stretches.js";
import type { SpeakerTurn } from "../../runtime/speakers/turns.js";
import type { Region } from "../../runtime/speakers/windows.js";

const region = (startMs: number, endMs: number): Region => ({ startMs, endMs });
const turn = (
	startMs: number,
	endMs: number,
	speaker: number,
): SpeakerTurn => ({
	startMs,
	endMs,
	speaker,
});

t.test("a segment is divided at its long pauses", async (t) => {
	const segment = {
		speechStartSample: 16_000,
		speechEndSample: 80_000,
		pauses: [
			{ startSample: 24_000, endSample: 27_200 },
			{ startSample: 40_000, endSample: 48_000 },
		],
	} as unknown as Segment;
	t.same(stretchesOf(segment, 0.3), [region(1000, 2500), region(3000, 5000)]);
	t.same(stretchesOf(segment, 0.8), [region(1000, 5000)]);
	t.same(stretchesOf(segment, 0.1), [
		region(1000, 1500),
		region(1700, 2500),
		region(3000, 5000),
	]);
});

t.test(
	"regions keep what is speech in them, or all where nothing is",
	async (t) => {
		const regions = [region(0, 1000), region(1000, 3000), region(5000, 6000)];
		const speech = [region(200, 1500), region(2000, 3500), region(7000, 8000)];
		t.same(dividedRegions(regions, speech, 400), [
			region(200, 1000),
			region(1000, 1500),
			region(2000, 3000),
			region(5000, 6000),
		]);
		t.same(dividedRegions(regions, [], 400), regions);
		const late = [region(0, 1300), region(1700, 3000)];
		t.same(
			dividedRegions(regions, late, 400).slice(0, 2),
			[region(0, 1000), region(1700, 3000)],
			"the end of the one before is no stretch of the next",
		);
		t.same(dividedRegions([], speech, 400), []);
	},
);

t.test(
	"turns cover the regions; a pause between two voices is halved",
	async (t) => {
		const regions = [region(0, 3000), region(4000, 6000), region(6000, 7000)];
		const told = [
			turn(200, 1000, 1),
			turn(1400, 1800, 1),
			turn(2000, 2900, 2),
			turn(4100, 4500, 2),
			turn(4500, 5900, 1),
			turn(6000, 6900, 1),
		];
		t.same(coveringTurns(regions, told), [
			turn(0, 1900, 1),
			turn(1900, 3000, 2),
			turn(4000, 4500, 2),
			turn(4500, 6000, 1),
			turn(6000, 7000, 1),
		]);
	},
);

t.test(
	"random regions and speech: turns always cover the regions",
	async (t) => {
		const seed = Number(process.env.EARSHOT_TEST_SEED ?? Date.now() % 1e6);
		t.comment(`seed ${seed} (EARSHOT_TEST_SEED)`);
		let state = seed;
		const below = (limit: number) => {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			return Math.floor((state / 2 ** 32) * limit);
		};
		const some = () => {
			let at = 0;
			return Array.from({ length: below(8) }, () => {
				const startMs = at + below(3) * 100;
				at = startMs + 100 + below(20) * 100;
				return region(startMs, at);
			});
		};
		for (let round = 0; round < 500; round++) {
			const regions = some();
			const stretches = dividedRegions(regions, some(), 400);
			const told = stretches.map(({ startMs, endMs }) =>
				turn(startMs, endMs, 1 + below(3)),
			);
			const turns = coveringTurns(regions, told);
			const covered = (list: readonly Region[]) =>
				list
					.map(({ startMs, endMs }) => endMs - startMs)
					.reduce((sum, it) => sum + it, 0);
			if (
				covered(turns) !== covered(regions) ||
				turns.some((it) => it.endMs <= it.startMs)
			)
				t.fail(JSON.stringify({ round, regions, stretches, turns }));
			for (const one of regions)
				if (!turns.some((it) => it.startMs === one.startMs))
					t.fail(`round ${round}: nobody begins at ${one.startMs}`);
		}
		t.pass("500 rounds");
	},
);
