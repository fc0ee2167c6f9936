/** Recognizer requests for finals, of live speech and of files. */
import type { SegmentRequest } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { voiceOf } from "../../segmentation/voiced.js";
import { mayLoseSpeech } from "../../session/lost-speech.js";
import type { RecognitionOptions } from "../../session/options.js";

/**
 * @param beam for options that do not set one.
 * @param cancelled polled while it runs.
 */
export function segmentRequest(
	segment: Segment,
	{
		language,
		translatedFrom,
		punctuation,
		words,
		hotwords,
		beam,
	}: RecognitionOptions,
	{
		beam: defaultBeam,
		cancelled,
	}: { readonly beam: number; readonly cancelled: () => boolean },
): SegmentRequest {
	return {
		samples: segment.samples,
		voiceActivity: voiceOf(segment),
		language,
		punctuation,
		// word times show what speech was left out; words of a translation have none
		words: !translatedFrom && (words || mayLoseSpeech(segment)),
		...(translatedFrom && { translatedFrom }),
		...(hotwords && { hotwords }),
		beam: beam ?? defaultBeam,
		cancelled,
	};
}
