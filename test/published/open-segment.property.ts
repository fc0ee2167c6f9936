/** A segment that is decoded while it grows, in any steps. */
import assert from "node:assert/strict";
import type { Test } from "tap";
import type { Property } from "../fuzz/property.js";
import { several } from "../fuzz/random.js";
import { publishedCases } from "./cases.js";
import { caseOf, clipOf, open, transcribe } from "./recognizers.js";

const samplesCount = 80_000;
/** A pause discards a little audio, and requests a final that may not be the last. */
const takenBack = 6000;

export async function openSegmentsChangeNothing(
	t: Test,
): Promise<Property<readonly number[]>> {
	const { cases, dispose } = publishedCases();
	const one = caseOf(cases, "tiny-zipformer2");
	const recognizer = await open(one);
	t.teardown(async () => {
		await recognizer.close();
		dispose();
	});
	const samples = clipOf(one, "en-librivox-0880.wav").subarray(0, samplesCount);
	const whole = await transcribe(recognizer, { samples, words: true });
	return {
		name: "published/open-segment",
		promise: "decoding an open segment does not change its final",
		draw: (random) =>
			several(random, 12, () => Math.floor(random() * samplesCount)).sort(
				(a, b) => a - b,
			),
		async check(lengths) {
			const segmentKey = {};
			for (const length of lengths) {
				const part = samples.subarray(0, length);
				await transcribe(recognizer, {
					samples: part,
					open: true,
					segmentKey,
				});
				const less = samples.subarray(0, Math.max(0, length - takenBack));
				await transcribe(recognizer, { samples: less, segmentKey });
			}
			const last = await transcribe(recognizer, {
				samples,
				words: true,
				segmentKey,
			});
			assert.deepEqual(last, whole);
		},
	};
}
