/** Regions divided at pauses, and turns joined again. */
import t from "tap";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	coveringTurns,
	dividedRegions,
	speechRegionsOf,
} from "../../runtime/speakers/speech-regions.js";
import type { SpeakerTurn } from "../../runtime/speakers/turns.js";
import type { Region } from "../../runtime/speakers/windows.js";
import { holds } from "../fuzz/holds.js";
import { turnsCoverRegions } from "./speech-regions.property.js";

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
	t.same(speechRegionsOf(segment, 0.3), [
		region(1000, 2500),
		region(3000, 5000),
	]);
	t.same(speechRegionsOf(segment, 0.8), [region(1000, 5000)]);
	t.same(speechRegionsOf(segment, 0.1), [
		region(1000, 1500),
		region(1700, 2500),
		region(3000, 5000),
	]);
});

t.test(
	"regions keep the speech in them, or all of them if there is none",
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
			"the end of the one before is no part of the next",
		);
		t.same(dividedRegions([], speech, 400), []);
	},
);

t.test(
	"turns cover the regions; a pause between two voices is halved",
	async (t) => {
		const regions = [region(0, 3000), region(4000, 6000), region(6000, 7000)];
		const turns = [
			turn(200, 1000, 1),
			turn(1400, 1800, 1),
			turn(2000, 2900, 2),
			turn(4100, 4500, 2),
			turn(4500, 5900, 1),
			turn(6000, 6900, 1),
		];
		t.same(coveringTurns(regions, turns), [
			turn(0, 1900, 1),
			turn(1900, 3000, 2),
			turn(4000, 4500, 2),
			turn(4500, 6000, 1),
			turn(6000, 7000, 1),
		]);
	},
);

await holds(t, turnsCoverRegions(), 500);
