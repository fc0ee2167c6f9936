/** The segmenter interface of a session: voice activity and the endpoint rules, and the gate in front of them where there are wake words. */
import type { Segment, SegmentEvent } from "../segmentation/events.js";
import type { WakeEvent } from "./wake-events.js";

export type SegmenterEvents = readonly (SegmentEvent | WakeEvent)[];

export interface SessionSegmenter {
	/** Computes ahead what `accept` will be given next, in pieces: larger batches are faster. */
	precompute?(samples: Float32Array): Promise<void>;
	/** @param samples mono, 16 kHz; any length; copied if kept. */
	accept(samples: Float32Array): Promise<SegmenterEvents>;
	/** Ends an open segment. */
	finish(): Promise<SegmenterEvents>;
	/** Ends an open segment here; audio after it is accepted. */
	endSentence(): SegmenterEvents;
	/** The open segment as it is now, or its end from a given sample on. */
	openSegment(fromSample: number): Segment | undefined;
	/** Samples since the last speech; undefined before any. */
	readonly silentSamples: number | undefined;
}
