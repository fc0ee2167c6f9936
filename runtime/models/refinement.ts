/**
 * The interface to a second opinion on a segment's text: something that knows more about the language or about the sounds than the recognizer chooses
 * between the texts that the recognizer considered, or proposes others, which the recognizer scores against the audio.
 */
import type { SingleLanguage } from "../text/languages.js";
import type { HotwordOptions, SegmentRequest } from "./recognizer.js";

/** A text that the recognizer's search considered. */
export interface Alternative {
	/** In simplified characters where it is Chinese. */
	readonly text: string;
	/** Natural log-probability, summed over the tokens, with the end token where the search reached it. */
	readonly logp: number;
}

export interface TextScore {
	/** Natural log-probability of the text, given the audio, summed over the tokens without the end token. */
	readonly logp: number;
	/** Natural log-probability that the text ends there. */
	readonly endLogp: number;
	/** `logp` without audio: the recognizer's internal language model. NaN where it was not asked for. */
	readonly internalLogp: number;
}

export interface ScoreOptions {
	/** Whether `internalLogp` is needed, which takes runs of its own. Default: yes. */
	readonly internal?: boolean;
}

/** Scores texts against the segment's audio with the recognizer that found them. */
export interface TextScorer {
	/** @returns the scores in the order of the texts. A score is the same in whatever company its text is scored, within rounding. */
	score(
		texts: readonly string[],
		options?: ScoreOptions,
	): Promise<readonly TextScore[]>;
}

/** What the recognizer's search made of the request's hotwords. */
export interface HotwordFindings {
	/** Distinct texts that hotwords favoured, best first. */
	readonly texts: readonly string[];
	/** What the hotwords in a text earn in the search, in natural-log units. */
	bonusOf(text: string): number;
	/** Scores texts as the search does that favours hotwords: new characters are in the script of the recognizer's text. */
	readonly scorer: TextScorer;
}

/** Chooses another text for a segment than the recognizer's own. One per engine; it holds no state of a session, except by `segmentKey`. */
export interface TextRefiner {
	readonly languages: readonly SingleLanguage[];
	/** Prepares a list before its first use, as `SpeechRecognizer.preparing`. */
	preparing?(hotwords: HotwordOptions): Iterable<void>;
	/** Called for each request that may be in such a language, of open segments too, so that its own recognizer keeps up with the audio. */
	follow(request: SegmentRequest): Promise<void>;
	/**
	 * Called for each closed segment with a text in a language that the refiner knows.
	 * @param alternatives distinct texts, best first, as without hotwords; the first is the recognizer's own.
	 * @param hotwords absent where the request has none that can be matched.
	 * @throws where it fails: the recognizer's own text stands then.
	 * @returns undefined: the recognizer's own text stands.
	 */
	refine(
		request: SegmentRequest,
		alternatives: readonly Alternative[],
		scorer: TextScorer,
		hotwords?: HotwordFindings,
	): Promise<Refinement | undefined>;
}

export interface Refinement {
	/** May be the recognizer's own. */
	readonly text: string;
	/** Hotwords were put in: the text is as `HotwordFindings.scorer` scored it. */
	readonly hasHotwords?: boolean;
	readonly explanation: RefinementExplanation;
}

/** For `transcribe --explain`. */
export interface RefinementExplanation {
	/** The recognizer's own text. */
	readonly ownText: string;
	/** Recognized sounds, as a person reads them: "zhong1 guo2". */
	readonly sounds: string;
	/** Best first. */
	readonly candidates: readonly ExplainedCandidate[];
	/** Texts with hotwords that were tried in the best candidate, and that candidate: best first. Absent where none was tried. */
	readonly hotwords?: readonly ExplainedCandidate[];
}

export interface ExplainedCandidate {
	readonly text: string;
	readonly total: number;
	/** Parts of the total by name, before weighting. */
	readonly scores: Readonly<Record<string, number>>;
}

export interface RefinerOptions {
	readonly refiner: TextRefiner;
	/** Hypotheses kept while searching a segment that is to be refined; more give more alternatives. Default: as in the request. */
	readonly beam?: number;
	/** Told when the refiner fails. */
	readonly onFailure?: (error: unknown) => void;
}
