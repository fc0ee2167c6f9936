/**
 * The endpoint rules as data, in windows of 32 ms. A change affects every segment: measure onsets, endings and false segments again.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import { windowSamples } from "./speech-detector.js";

/** A first sound begins more quietly than what the detector takes for speech. */
export const onsetLeadSamples = 0.25 * sampleRateHz;

export interface EndpointRules {
	/** A window with at least this probability may begin a segment. */
	readonly onsetProbability: number;
	/** Inside a segment, less than this is silence. Lower than the onset's, because soft endings belong to their word. */
	readonly offsetProbability: number;
	/** A window with at least this is certainly speech: noise that begins a segment has few such windows, or none. */
	readonly sureProbability: number;
	/** Evidence that begins a segment: the sum of the windows' probabilities above the onset probability. Three certain windows have 1.5. */
	readonly evidenceMin: number;
	/** The minimum for the only sound of a recording without any other segment; default: `evidenceMin`. */
	readonly loneEvidenceMin?: number;
	/** Silent windows after which a sound without enough evidence is dropped. */
	readonly doubtWindowsMax: number;
	/** Windows after which it is dropped in any case: speech has enough evidence long before. */
	readonly doubtSpanWindowsMax: number;
	/** Lead before the window that began the segment. */
	readonly leadSamples: number;
	/** Samples kept before that window: at least the lead. */
	readonly preRollSamples: number;
	/** Unvoiced sounds before a vowel have low probabilities: those from this one on are searched for further back. */
	readonly faintProbability: number;
	readonly faintLookbackWindows: number;
	/** Delay with which the detector recognizes the end of speech: the silence is longer than the silent windows by this. */
	readonly offsetLagWindows: number;
	/** Silent windows that make a pause, and that are kept after the last speech. */
	readonly pauseWindows: number;
	/** Windows of silence that end a segment. */
	readonly silenceWindows: number;
	/** Limits between which they adapt to the speaker's pauses: see SentenceBreak. */
	readonly silenceWindowsMin: number;
	readonly silenceWindowsMax: number;
	/** Length at which a segment is split. */
	readonly segmentSamplesMax: number;
	/** Last windows of the segment in which the split is placed, at the quietest moment. */
	readonly cutSearchWindows: number;
}

/**
 * @param maxSentenceSilenceMs 200 to 1200 of sentences; passages have up to 2000.
 * @param dynamicBreak adapt that silence to the speaker, between half and one and a half of it.
 */
export function endpointRules(
	maxSentenceSilenceMs: number,
	dynamicBreak = false,
): EndpointRules {
	const pauseWindows = 6; // 192 ms: less than the shortest silence that may end a sentence
	const offsetLagWindows = 2; // by level, 80 ms is the median of 79 endings in quiet rooms
	const windowsOf = (ms: number) =>
		Math.max(
			pauseWindows + offsetLagWindows,
			Math.ceil((ms * sampleRateHz) / 1000 / windowSamples),
		);
	return {
		onsetProbability: 0.5,
		offsetProbability: 0.35,
		sureProbability: 0.8,
		evidenceMin: 1,
		doubtWindowsMax: 3,
		doubtSpanWindowsMax: Math.ceil((4 * sampleRateHz) / windowSamples),
		leadSamples: onsetLeadSamples,
		preRollSamples: onsetLeadSamples,
		faintProbability: 0.1,
		faintLookbackWindows: 16,
		offsetLagWindows,
		pauseWindows,
		silenceWindows: windowsOf(maxSentenceSilenceMs),
		silenceWindowsMin: windowsOf(
			dynamicBreak ? maxSentenceSilenceMs / 2 : maxSentenceSilenceMs,
		),
		silenceWindowsMax: windowsOf(
			dynamicBreak ? maxSentenceSilenceMs * 1.5 : maxSentenceSilenceMs,
		),
		segmentSamplesMax: 28 * sampleRateHz,
		cutSearchWindows: Math.floor((10 * sampleRateHz) / windowSamples),
	};
}

/** After a shorter silence the speaker usually continues what was begun. */
const passageSilenceSeconds = 2;

/**
 * For requests for one text without sentences: speech is recognized together with its pauses and the audio before it. A recognizer makes fewer errors in a
 * whole passage than in closely cut pieces (docs/benchmarks/rejected.md). Audio after the passage does not help. Of several sentences in a passage the
 * recognizer may write only the first: the missing ones are searched for (session/lost-speech.ts), and the longer the silence that is allowed inside a
 * passage, the more often that is needed.
 */
export function passageRules(): EndpointRules {
	const silenceWindows = Math.round(
		(passageSilenceSeconds * sampleRateHz) / windowSamples,
	);
	return {
		...endpointRules(1200),
		// words of 0.2 s have 0.4 to 0.9; of 434 noises one has 0.8 and the others less than 0.5
		loneEvidenceMin: 0.5,
		preRollSamples: 2 * sampleRateHz,
		silenceWindows,
		silenceWindowsMin: silenceWindows,
		silenceWindowsMax: silenceWindows,
	};
}

/** After a longer silence the speaker or the topic may change: of both together, a recognizer often writes only the first. */
const filePassageSilenceMs = 1200;
/** Speech of a second or two between longer pauses does not show its language (docs/benchmarks/lost-speech.md). */
const mixedPassageSilenceMs = 2000;
/** The cost of the encoder and of the decoder's cross-attention grows faster than a passage. */
const filePassageSecondsMax = 14;
/** Last seconds of a passage in which it is split, at the quietest moment. */
const filePassageCutSeconds = 6;

/**
 * For recordings that are recognized as passages and split into sentences afterwards: passages of a length that is cheap to recognize in batches.
 * @param isMixed in two languages.
 */
export function filePassageRules(isMixed = false): EndpointRules {
	const { silenceWindows, silenceWindowsMin, silenceWindowsMax } =
		endpointRules(isMixed ? mixedPassageSilenceMs : filePassageSilenceMs);
	// an engine that resumes in the middle of a file does not know whether the file contains other speech
	const { loneEvidenceMin: _, ...passages } = passageRules();
	return {
		...passages,
		silenceWindows,
		silenceWindowsMin,
		silenceWindowsMax,
		segmentSamplesMax: filePassageSecondsMax * sampleRateHz,
		cutSearchWindows: Math.floor(
			(filePassageCutSeconds * sampleRateHz) / windowSamples,
		),
	};
}
