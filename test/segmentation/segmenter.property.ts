/** The endpoint rules over any probabilities. */
import assert from "node:assert/strict";
import type { SegmentEvent } from "../../runtime/segmentation/events.js";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { probabilities, segment } from "./probabilities.js";

interface Case {
	readonly parts: readonly (readonly [seconds: number, probability: number])[];
	readonly maxSentenceSilenceMs: number;
}

export const eventsKeepTheirOrder = (): Property<Case> => ({
	name: "segmentation/events",
	promise: "the events keep their order with any probabilities",
	draw: (random) => ({
		parts: Array.from({ length: below(random, 120) }, () => {
			const seconds = random() < 0.9 ? random() * 1.5 : random() * 40;
			return [seconds, random() < 0.5 ? random() * 0.3 : random()] as const;
		}),
		maxSentenceSilenceMs: 200 + below(random, 1001),
	}),
	check({ parts, maxSentenceSilenceMs }) {
		const events = segment(probabilities(parts), maxSentenceSilenceMs);
		assert.equal(disorder(events), undefined);
	},
});

/** @returns what is wrong. */
function disorder(events: readonly SegmentEvent[]): string | undefined {
	let open = 0;
	let paused: Extract<SegmentEvent, { is: "pause" }> | undefined;
	let lastIndex = 0;
	let lastEnd = 0;
	for (const event of events) {
		const index =
			event.is === "begin" || event.is === "resume"
				? event.index
				: event.segment.index;
		if (event.is === "begin") {
			if (open || index !== lastIndex + 1) return `begin ${index}`;
			if (event.startSample < lastEnd) return "overlap";
			open = lastIndex = index;
			paused = undefined;
			continue;
		}
		if (index !== open) return `${event.is} of ${index} in ${open}`;
		if (event.is === "pause") {
			if (paused) return "pause in a pause";
			paused = event;
		} else if (event.is === "resume") {
			if (!paused) return "resume without a pause";
			paused = undefined;
		} else {
			const { startSample, endSample, speechEndSample, samples } =
				event.segment;
			if (samples.length !== endSample - startSample) return "length";
			if (samples.length > 28 * 16_000) return "too long";
			if (speechEndSample > endSample || speechEndSample <= startSample)
				return "speech end";
			if (
				event.why !== "length" &&
				paused &&
				paused.segment.endSample !== endSample
			)
				return "not the samples of its pause";
			if (event.why === "silence" && !paused) return "an end without a pause";
			open = 0;
			lastEnd = endSample;
		}
	}
	return open ? "left open" : undefined;
}
