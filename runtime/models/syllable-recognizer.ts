/** The interface of a recognizer of syllables ("second ear"), which follows the same audio as the recognizer of text. */
import type { JointWeights } from "../search/lattice/joint-score.js";
import type { SyllableEvidence } from "../search/lattice/syllables.js";
import type { Language } from "../text/languages.js";
import type { KeywordSpotter, SpottedPhrase } from "./keyword-spotter.js";
import type { SegmentRequest } from "./recognizer.js";

/** What it needs of a request. */
export type FollowedSegment = Pick<
	SegmentRequest,
	"samples" | "segmentKey" | "cancelled"
>;

/** Shared by all streams; it holds no state of a session but by `segmentKey`. */
export interface SecondEar {
	readonly name: string;
	readonly languages: readonly Language[];
	/** Weights of the scores when a text is chosen, from the manifest. */
	readonly weights: JointWeights;
	/** Decodes what has arrived of an open segment, so that `evidence` need not. Without a `segmentKey` it does nothing. */
	follow(request: FollowedSegment): Promise<void>;
	/** @returns undefined when the request was cancelled. */
	evidence(request: FollowedSegment): Promise<SyllableEvidence | undefined>;
	/** For one stream. @throws ModelFault when the model has no symbols for a syllable. */
	spotterOf(phrases: readonly SpottedPhrase[]): KeywordSpotter;
	close(): Promise<void>;
}
