/**
 * When a recognition ends before its caller says so: at its longest duration, when nobody has spoken for so long that nobody will, or when the silence after
 * speech has lasted long enough (docs/decisions.md section 4).
 */
import { sampleRateHz, samplesToMs } from "../audio/sample-rate.js";
import type { RecognitionOptions } from "./options.js";
import type { SegmenterEvents } from "./session-segmenter.js";

export type EndOptions = Pick<RecognitionOptions, "durationSecondsMax"> &
	Partial<Pick<RecognitionOptions, "suffixSilenceMs" | "unspokenMs">>;

/** What has come so far. */
export interface Progress {
	readonly samplesSeen: number;
	/** A segment has begun. */
	readonly hasBegun: boolean;
	readonly hasOpenSegment: boolean;
	/** Samples since the last speech; undefined before any. */
	readonly silentSamples: number | undefined;
}

/** Encoders pad their last frame: a clip of exactly the limit is not longer than it. */
const durationToleranceSamples = 0.2 * sampleRateHz;

export class AutomaticEnd {
	readonly samplesMax: number;
	readonly #options: EndOptions;

	constructor(options: EndOptions) {
		this.#options = options;
		this.samplesMax =
			Math.round(options.durationSecondsMax * sampleRateHz) +
			durationToleranceSamples;
	}

	/** There has been silence for long enough. @param events the newest of the segmenter. */
	isSilent(progress: Progress, events: SegmenterEvents): boolean {
		return this.#isUnspoken(progress) || this.#isSuffixSilent(progress, events);
	}

	#isUnspoken({ hasBegun, samplesSeen }: Progress): boolean {
		const { unspokenMs } = this.#options;
		if (unspokenMs === undefined || hasBegun) return false;
		return samplesToMs(samplesSeen) >= unspokenMs;
	}

	#isSuffixSilent(
		{ hasOpenSegment, silentSamples = 0 }: Progress,
		events: SegmenterEvents,
	): boolean {
		const { suffixSilenceMs } = this.#options;
		if (suffixSilenceMs === undefined) return false;
		if (suffixSilenceMs === 0)
			return events.some((it) => it.is === "end") && !hasOpenSegment;
		return silentSamples * 1000 >= suffixSilenceMs * sampleRateHz;
	}
}
