/**
 * Made-up probabilities, which drive the endpoint rules without a model.
 */
import type { SegmentEvent } from "../../runtime/segmentation/events.js";
import {
	type EndpointRules,
	endpointRules,
} from "../../runtime/segmentation/rules.js";
import { Segmenter } from "../../runtime/segmentation/segmenter.js";
import { windowSamples } from "../../runtime/segmentation/speech-detector.js";

/** Windows in a number of seconds. */
export function windows(seconds: number): number {
	return Math.round((seconds * 16_000) / windowSamples);
}

/** @param parts seconds and the probability that holds for them. */
export function probabilities(
	parts: readonly (readonly [seconds: number, probability: number])[],
): number[] {
	return parts.flatMap(([seconds, probability]) =>
		new Array<number>(windows(seconds)).fill(probability),
	);
}

/** A distinguishable window: its samples are its number. */
export function numberedWindow(window: number): Float32Array {
	return new Float32Array(windowSamples).fill(window / 65536);
}

/** @returns all events of one stream. */
export function segment(
	answers: readonly number[],
	maxSentenceSilenceMs = 800,
	window: (index: number) => Float32Array = numberedWindow,
	dynamicBreak = false,
): SegmentEvent[] {
	return run(
		endpointRules(maxSentenceSilenceMs, dynamicBreak),
		answers,
		window,
	);
}

/** The same with any rules. */
export function run(
	rules: EndpointRules,
	answers: readonly number[],
	window: (index: number) => Float32Array = numberedWindow,
): SegmentEvent[] {
	const segmenter = new Segmenter(rules);
	const events = answers.flatMap((probability, i) =>
		segmenter.accept(window(i), probability),
	);
	return [...events, ...segmenter.finish()];
}

export type EndEvent = Extract<SegmentEvent, { is: "end" }>;

export function ends(events: readonly SegmentEvent[]): EndEvent[] {
	return events.filter((event): event is EndEvent => event.is === "end");
}

/** The events' kinds, in order. */
export function shape(events: readonly SegmentEvent[]): string {
	return events.map((event) => event.is).join(" ");
}
