/**
 * The interface to a second opinion on a segment's text: something that knows more about the language or about the sounds than the recognizer chooses
 * between the texts that the recognizer considered, or proposes others, which the recognizer scores against the audio.
 */
import type { SegmentRequest } from "./recognizer.js";

/** A text that the recognizer's search considered. */
export interface Alternative {
	readonly text: string;
	/** Natural log-probability, summed over the tokens, the end token included. */
	readonly logp: number;
}

export interface TextScore {
	/** Natural log-probability of the text, given the audio, summed over the tokens; the end token is not included. */
	readonly logp: number;
	/** The same without audio: the recognizer's internal language model. */
	readonly internalLogp: number;
}

/** Scores texts against the segment's audio with the recognizer that found them. */
export interface TextScorer {
	/** @returns the scores in the order of the texts. A score is the same in whatever company its text is scored, within rounding. */
	score(texts: readonly string[]): Promise<readonly TextScore[]>;
}

/** Chooses another text for a segment than the recognizer's own. One per engine; it holds no state of a session, except by `segmentKey`. */
export interface TextRefiner {
	/** Called for each request, of open segments too, so that its own recognizer keeps up with the audio. */
	follow(request: SegmentRequest): Promise<void>;
	/**
	 * Called for each closed segment.
	 * @param alternatives best first; the first is the recognizer's own text.
	 * @returns undefined: the recognizer's own text stands.
	 */
	refine(
		request: SegmentRequest,
		alternatives: readonly Alternative[],
		scorer: TextScorer,
	): Promise<Refinement | undefined>;
}

export interface Refinement {
	/** May be the recognizer's own. */
	readonly text: string;
	readonly explanation: RefinementExplanation;
}

/** How a text was chosen, for `transcribe --explain`. */
export interface RefinementExplanation {
	/** The recognizer's own text. */
	readonly ownText: string;
	/** Recognized sounds, as a person reads them: "zhong1 guo2". */
	readonly sounds: string;
	/** Best first. */
	readonly candidates: readonly ExplainedCandidate[];
}

export interface ExplainedCandidate {
	readonly text: string;
	readonly total: number;
	/** Parts of the total by name, before weighting. */
	readonly scores: Readonly<Record<string, number>>;
}
