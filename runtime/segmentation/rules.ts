/**
 * The endpoint rules as data, in windows of 32 ms. Changing one moves every segment: measure onsets, endings and false segments again.
 */

import { sampleRateHz } from "../audio/sample-rate.js";
import { windowSamples } from "./speech-detector.js";

export interface EndpointRules {
	/** A window with at least this probability may begin a segment. */
	readonly onsetProbability: number;
	/** Less than this is silence, inside a segment. Lower than the onset's: soft endings belong to their word. */
	readonly offsetProbability: number;
	/** A window with at least this is surely speech: noise that begins a segment has few of them, or none. */
	readonly sureProbability: number;
	/** How much speech makes a segment: the sum of what the windows' probabilities have over the onset's. Three sure windows have 1.5. */
	readonly evidenceMin: number;
	/** The same where a whole recording holds nothing that has so much; as much as above where it is left out. */
	readonly loneEvidenceMin?: number;
	/** Silent windows after which a beginning without enough evidence is forgotten. */
	readonly doubtWindowsMax: number;
	/** Windows after which it is forgotten whatever they hold: speech has enough evidence long before. */
	readonly doubtSpanWindowsMax: number;
	/** Before the window that began the segment: a first sound begins more quietly. */
	readonly leadSamples: number;
	/** What is kept before that window: at least the lead. */
	readonly preRollSamples: number;
	/** Unvoiced sounds before a vowel are heard with doubt: from this probability on they are looked for, a little further back. */
	readonly faintProbability: number;
	readonly faintLookbackWindows: number;
	/** The detector notices so much too late that speech has ended: silence is longer than the windows that it calls silent. */
	readonly offsetLagWindows: number;
	/** Windows called silent that make a pause: what is kept after the last speech. */
	readonly pauseWindows: number;
	/** Windows of silence that end a segment, */
	readonly silenceWindows: number;
	/** and between what they may move with the speaker's own pauses: see SentenceBreak. */
	readonly silenceWindowsMin: number;
	readonly silenceWindowsMax: number;
	/** A segment is cut when it has grown so long, */
	readonly segmentSamplesMax: number;
	/** at the quietest moment among its last windows. */
	readonly cutSearchWindows: number;
}

/**
 * @param maxSentenceSilenceMs 200 to 1200.
 * @param dynamicBreak that silence follows the speaker, between half and one and a half of it.
 */
export function endpointRules(
	maxSentenceSilenceMs: number,
	dynamicBreak = false,
): EndpointRules {
	const pauseWindows = 6; // 192 ms: under the shortest silence that may end a sentence
	const offsetLagWindows = 2; // 80 ms in the median of 79 endings in quiet rooms, by their level
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
		leadSamples: 0.25 * sampleRateHz,
		preRollSamples: 0.25 * sampleRateHz,
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

/** Within a shorter silence somebody goes on with what was begun. */
const passageSilenceSeconds = 2;

/**
 * For a caller who wants one text and no sentences: speech is heard together with the pauses in it and with what was before it. A recognizer that
 * hears a passage as it was said errs less than one that gets it in pieces cut close (docs/benchmarks/rejected.md). What comes after it brings nothing. Of several sentences
 * in a passage it may write only the first: what it leaves out is looked for (session/lost-speech.ts), and the longer the silence that is allowed inside
 * a passage, the more there is to look for.
 */
export function passageRules(): EndpointRules {
	const silenceWindows = Math.round(
		(passageSilenceSeconds * sampleRateHz) / windowSamples,
	);
	return {
		...endpointRules(1200),
		// words of 0.2 s have 0.4 to 0.9, of 434 noises one has 0.8 and the others under 0.5
		loneEvidenceMin: 0.5,
		preRollSamples: 2 * sampleRateHz,
		silenceWindows,
		silenceWindowsMin: silenceWindows,
		silenceWindowsMax: silenceWindows,
	};
}

/** Behind a longer silence somebody else may speak, of something else: a recognizer that hears both at once often writes the first alone. */
const filePassageSilenceMs = 1200;
/** The encoder's cost and the decoder's look at the sound grow faster than a passage. */
const filePassageSecondsMax = 14;
/** It is cut at its quietest moment in these. */
const filePassageCutSeconds = 6;

/**
 * For recordings that are heard as a whole and cut into sentences afterwards: passages, in pieces of a length that is cheap to hear many of at once.
 */
export function filePassageRules(): EndpointRules {
	const { silenceWindows, silenceWindowsMin, silenceWindowsMax } =
		endpointRules(filePassageSilenceMs);
	// an engine that goes on in the middle of a file does not know whether the whole holds nothing else
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
