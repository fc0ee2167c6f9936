/** Turns of any regions with any speech in them. */
import assert from "node:assert/strict";
import {
	coveringTurns,
	dividedRegions,
} from "../../runtime/speakers/speech-regions.js";
import type { Region } from "../../runtime/speakers/windows.js";
import type { Property } from "../fuzz/property.js";
import { below, type Random, several } from "../fuzz/random.js";

interface Case {
	readonly regions: readonly Region[];
	readonly speech: readonly Region[];
	/** For each region, repeated from the start if there are more. */
	readonly speakers: readonly number[];
}

export const turnsCoverRegions = (): Property<Case> => ({
	name: "speakers/stretches",
	promise: "turns of any regions and speech cover the regions",
	draw: (random) => ({
		regions: someRegions(random),
		speech: someRegions(random),
		speakers: Array.from({ length: 9 }, () => 1 + below(random, 3)),
	}),
	check({ regions, speech, speakers }) {
		const divided = dividedRegions(regions, speech, 400).map((it, i) => ({
			startMs: it.startMs,
			endMs: it.endMs,
			speaker: speakers[i % speakers.length] as number,
		}));
		const turns = coveringTurns(regions, divided);
		assert.equal(lengthOf(turns), lengthOf(regions));
		for (const it of turns) assert.ok(it.endMs > it.startMs);
		for (const { startMs } of regions)
			assert.ok(
				turns.some((it) => it.startMs === startMs),
				`at ${startMs}`,
			);
	},
});

function someRegions(random: Random): Region[] {
	let endMs = 0;
	return several(random, 7, () => {
		const startMs = endMs + below(random, 3) * 100;
		endMs = startMs + 100 + below(random, 20) * 100;
		return { startMs, endMs };
	});
}

function lengthOf(regions: readonly Region[]): number {
	return regions.reduce((sum, it) => sum + it.endMs - it.startMs, 0);
}
