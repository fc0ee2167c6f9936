/** How the text of a segment was chosen: see refinement.ts. */

/** For `transcribe --explain`. */
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
