/**
 * Sessions with scripted speech: each sample's value is the probability that its window holds speech, so the real segmenter decides, and
 * the text depends on the samples alone. No model, no clock.
 */

import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import {
	endpointRules,
	passageRules,
} from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import type { Decode, Urgency } from "../../runtime/session/decode-plan.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import {
	RecognitionSession,
	type SessionOptions,
} from "../../runtime/session/recognition.js";

const windowSamples = 512;

/** Parts in milliseconds: speech if positive, silence if negative. */
export function speech(...partsMs: number[]): Float32Array {
	const lengths = partsMs.map((ms) => Math.abs(ms) * 16);
	const samples = new Float32Array(lengths.reduce((sum, it) => sum + it, 0));
	let offset = 0;
	partsMs.forEach((ms, i) => {
		const length = lengths[i] as number;
		samples.fill(ms > 0 ? 0.9 : 0.01, offset, offset + length);
		offset += length;
	});
	return samples;
}

export type RehearsedOptions = Partial<SessionOptions> & {
	silenceMs?: number;
	dynamicBreak?: boolean;
	oneText?: boolean;
};

export function rehearse(options: RehearsedOptions = {}): RecognitionSession {
	return new RecognitionSession(
		{ language: "en-US", durationSecondsMax: 600, ...options },
		scriptedSegmenter(options),
	);
}

/** The real rules, and each sample's value as the probability of speech. */
export function scriptedSegmenter(
	options: RehearsedOptions = {},
): SpeechSegmenter {
	const detector = {
		windowSamples,
		async accept(windows: Float32Array) {
			const count = windows.length / windowSamples;
			return Float32Array.from(
				{ length: count },
				(_, i) => windows[i * windowSamples] as number,
			);
		},
		strideWindows: 1,
		finish: async () => new Float32Array(0),
		reset() {},
	};
	return new SpeechSegmenter(
		detector,
		options.oneText
			? passageRules()
			: endpointRules(options.silenceMs ?? 800, options.dynamicBreak),
	);
}

/** The text depends on the samples alone. */
export function recognize(segment: Segment): Hypothesis {
	let voiced = 0;
	for (const it of segment.samples) if (it > 0.5) voiced++;
	return {
		text: voiced === 0 ? "" : `${voiced} voiced of ${segment.samples.length}`,
		tokens: [],
		confidence: 0.8,
		words: [
			{
				text: "word",
				startSeconds: 0.25,
				endSeconds: 99,
				kind: "normal",
				confidence: 0.7,
			},
		],
		guards: [],
	};
}

export interface Performance {
	readonly events: SessionEvent[];
	/** Decodes that were run, by urgency. */
	readonly decodes: Record<Urgency, number>;
}

export interface Direction {
	/** Samples in the next chunk. */
	readonly chunk: () => number;
	/** Decode now? Asked after each chunk. */
	readonly decodeNow: () => boolean;
	/** Is more input waiting? Then nothing is decoded speculatively. */
	readonly inputWaits: () => boolean;
	/** What a decode costs; see RecognitionSession.settle. */
	readonly costSeconds: () => number;
	/** Recognizes a segment; `recognize` by default. */
	readonly recognize: (decode: Decode) => Hypothesis;
}

/** Plays samples to a session, decoding as scripted, and everything owed at the end. */
export async function perform(
	session: RecognitionSession,
	samples: Float32Array,
	direction: Partial<Direction> = {},
): Promise<Performance> {
	const events: SessionEvent[] = [];
	const decodes = { final: 0, speculative: 0, partial: 0 };
	const recognizeDecode =
		direction.recognize ?? (({ segment }) => recognize(segment));
	const decodeAll = (urgency: Urgency) => {
		for (;;) {
			const decode = session.nextDecode(urgency);
			if (!decode) return;
			decodes[decode.urgency]++;
			const cost = direction.costSeconds?.() ?? 0.1;
			events.push(...session.settle(decode, recognizeDecode(decode), cost));
		}
	};
	let offset = 0;
	while (offset < samples.length && session.acceptsAudio) {
		const length = direction.chunk?.() ?? 1600;
		const chunk = samples.slice(offset, offset + length);
		offset += length;
		events.push(...(await session.accept(chunk)));
		if (direction.decodeNow?.() ?? true)
			decodeAll(direction.inputWaits?.() ? "final" : "partial");
	}
	events.push(...(await session.finish()));
	decodeAll("final");
	return { events, decodes };
}

export function of<K extends SessionEvent["is"]>(
	events: readonly SessionEvent[],
	is: K,
): Extract<SessionEvent, { is: K }>[] {
	return events.filter(
		(it): it is Extract<SessionEvent, { is: K }> => it.is === is,
	);
}
