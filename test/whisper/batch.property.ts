/** Segments in batches of any others, in any order. */
import assert from "node:assert/strict";
import type { Test } from "tap";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { NotHere, type Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { missing, modelDirectory, openRecognizer } from "./packages.js";
import { alone, requestsOf, textOf, together } from "./together.js";

/** Tolerance of a word's start, because a batch is aligned together. */
const secondsApartMax = 0.02;

export async function anyBatch(t: Test): Promise<Property<readonly number[]>> {
	const why = missing(modelDirectory);
	if (why) throw new NotHere(why);
	const recognizer = await openRecognizer(modelDirectory);
	t.teardown(() => recognizer.close());
	const requests = requestsOf();
	const wanted = await alone(recognizer, requests);
	return othersChangeNothing(recognizer, requests, wanted);
}

/** @param wanted the result of each request alone. */
export const othersChangeNothing = (
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
	wanted: readonly (Hypothesis | "cancelled")[],
): Property<readonly number[]> => ({
	name: "whisper/batch",
	promise: "a segment's text and words do not depend on the rest of the batch",
	share: 0.5,
	draw(random) {
		const left = requests.map((_, i) => i);
		const count = 1 + below(random, requests.length);
		return Array.from(
			{ length: count },
			() => left.splice(below(random, left.length), 1)[0] as number,
		);
	},
	async check(order) {
		const chosen = order.map((i) => requests[i] as SegmentRequest);
		const found = await together(recognizer, chosen);
		for (const [place, i] of order.entries()) {
			const [got, own] = [found[place], wanted[i]];
			assert.equal(textOf(got), textOf(own), `clip ${i}`);
			if (typeof got !== "object" || typeof own !== "object") continue;
			for (const [k, word] of got.words.entries()) {
				const apart = word.startSeconds - (own.words[k]?.startSeconds ?? 1e9);
				assert.ok(Math.abs(apart) <= secondsApartMax, `${word.text} of ${i}`);
			}
		}
	},
});
