/**
 * What segmentation tells a session. Sample numbers are at 16 kHz, from the start of the session; every decision falls on a sample, never on a clock.
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
	/** First sample, with what is kept from before the speech. */
	readonly startSample: number;
	/** Where speech begins, and the quiet beginning of its first sound. */
	readonly speechStartSample: number;
	/** One past the last sample kept. */
	readonly endSample: number;
	/** One past the last sample that was speech. */
	readonly speechEndSample: number;
	/** Silences inside it that speech followed: those long enough to be a pause. */
	readonly pauses: readonly Silence[];
	/**
	 * Where voice activity is sure of speech (EndpointRules.sureProbability), in order and apart from each other. Whoever parts a segment keeps it as it
	 * is: `voicedSeconds` counts what lies in the part.
	 */
	readonly voiced: readonly SampleRange[];
	/** Mono, 16 kHz; the receiver's own copy. */
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
	/** Speech went on after a pause. */
	| { readonly is: "resume"; readonly index: number }
	/** The segment is closed: by silence, by its length (cut at the quietest moment), because somebody asked, or by the end of the audio. */
	| {
			readonly is: "end";
			readonly segment: Segment;
			readonly why: "silence" | "length" | "asked" | "finish";
	  };

export interface VoiceActivity {
	/** In which voice activity is sure of speech. */
	readonly voicedSeconds: number;
	/** From the first of them to the last, without the pauses. */
	readonly spanSeconds: number;
}
