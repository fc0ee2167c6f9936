/** Generated voices that speak in any order. */
import assert from "node:assert/strict";
import { labelSpeakers } from "../../runtime/speakers/label-speakers.js";
import { windowsOf } from "../../runtime/speakers/windows.js";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { MadeVoices, sameGroups, shape, singleWindows } from "./made-voices.js";

interface Case {
	readonly voices: number;
	readonly seed: number;
}

export const voicesAreFound = (): Property<Case> => ({
	name: "speakers/voices",
	promise: "two to eight voices are found without their number",
	draw: (random) => ({
		voices: 2 + below(random, 7),
		seed: below(random, 1e6),
	}),
	check({ voices, seed }) {
		const made = new MadeVoices(seed, voices);
		const truth = takingTurns(made, 15 * voices, voices);
		const labels = labelsOf(truth, 0, (voice) => made.window(voice));
		assert.ok(sameGroups(labels, truth), `found ${new Set(labels).size}`);
	},
});

/** @param truth the voice of each window. */
export function labelsOf(
	truth: readonly number[],
	count: number,
	embed: (voice: number, i: number) => Float32Array | undefined,
	seconds = 1.6,
): number[] {
	const windows = windowsOf(singleWindows(truth.length, seconds), shape);
	return labelSpeakers(windows, truth.map(embed), shape, count);
}

/** Random, but each voice has enough windows. */
export function takingTurns(made: MadeVoices, windows: number, voices: number) {
	return Array.from({ length: windows }, (_, i) =>
		i < 6 * voices ? i % voices : made.below(voices),
	);
}
