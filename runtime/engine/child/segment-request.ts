/** What a recognizer is asked for a text that stays, of live speech and of files alike. */
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { voiceOf } from "../../segmentation/voiced.js";
import { mayLoseSpeech } from "../../session/lost-speech.js";
import type { RecognitionOptions } from "../../session/options.js";

/**
 * @param beam where the options do not say.
 * @param cancelled polled while it runs.
 */
export function segmentRequest(
	segment: Segment,
	{ language, punctuation, words, hotwords, beam }: RecognitionOptions,
	{
		beam: usualBeam,
		cancelled,
	}: { readonly beam: number; readonly cancelled: () => boolean },
): SegmentRequest {
	return {
		samples: segment.samples,
		voiceActivity: voiceOf(segment),
		language,
		punctuation,
		// what was left out is told by when words were said
		words: words || mayLoseSpeech(segment),
		...(hotwords && { hotwords }),
		beam: beam ?? usualBeam,
		cancelled,
	};
}
