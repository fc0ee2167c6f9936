/**
 * The events that segmentation sends to a session. Sample numbers are at 16 kHz, from the start of the session; every decision refers to a sample, never to
 * a clock.
 */
export type Silence = SampleRange;

export interface SampleRange {
	readonly startSample: number;
	/** One past the last. */
	readonly endSample: number;
}

export interface Segment {
	/** Counts from 1. */
	readonly index: number;
	/** First sample, including the pre-roll before the speech. */
	readonly startSample: number;
	/** Where speech begins, including the quiet beginning of its first sound. */
	readonly speechStartSample: number;
	/** One past the last sample kept. */
	readonly endSample: number;
	/** One past the last sample of speech. */
	readonly speechEndSample: number;
	/** Silences inside the segment that speech followed, if long enough to be a pause. */
	readonly pauses: readonly Silence[];
	/**
	 * Ranges with certain voice activity (EndpointRules.sureProbability), in order, not adjacent. A part of a segment keeps all ranges of the whole:
	 * `voicedSeconds` counts those inside the part.
	 */
	readonly voiced: readonly SampleRange[];
	/** Mono, 16 kHz; a copy for the receiver. */
	readonly samples: Float32Array;
}

export type SegmentEvent =
	/** Speech began; the segment is open. */
	| {
			readonly is: "begin";
			readonly index: number;
			readonly startSample: number;
			readonly speechStartSample: number;
	  }
	/** A pause began inside the open segment: its text so far may be the final one. */
	| { readonly is: "pause"; readonly segment: Segment }
	/** Speech continued after a pause. */
	| { readonly is: "resume"; readonly index: number }
	/** The segment is closed: by silence, by its length (split at the quietest moment), on request, or by the end of the audio. */
	| {
			readonly is: "end";
			readonly segment: Segment;
			readonly why: "silence" | "length" | "request" | "finish";
	  };

export interface VoiceActivity {
	/** Seconds with certain voice activity. */
	readonly voicedSeconds: number;
	/** From the first of them to the last, without pauses. */
	readonly spanSeconds: number;
}
