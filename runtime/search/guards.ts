/**
 * Guards against hallucinated text. A recognizer trained on subtitles responds to noise with text that subtitles contain where there is no speech. It is detected
 * by the probability of no speech, the mean probability of the tokens, and the words themselves.
 */
import {
	creditBeginnings,
	hallucinationPhrases,
} from "./hallucination-phrases.js";

export interface Evidence {
	/** Plain text of the search. */
	readonly text: string;
	/** Probability of no speech, before the first token. */
	readonly noSpeech: number;
	/** Mean log-probability of the tokens, the end token's included. */
	readonly meanLogp: number;
	/** The search ended in a loop, or the text's compression ratio indicates repetition. */
	readonly repeats: boolean;
	/** Evidence from the audio; absent where voice activity was not computed. */
	readonly voiceActivity?: VoiceEvidence;
	/** The segment may still grow: its last word is truncated, so its tokens are not evidence. */
	readonly open?: boolean;
}

export interface VoiceEvidence {
	/** Seconds with certain voice activity. */
	readonly voicedSeconds: number;
	/** From the first of them to the last, without pauses. */
	readonly spanSeconds: number;
	/** Level difference between loud and quiet frames. */
	readonly swingDb: number;
}

/**
 * The weights separate our clips from noises, hum, hiss, tones, knocks and silence (each decoded in three languages): speech reached at most 0.65 (one
 * spoken letter), everything else had 0.88 or more, except for texts that repeat themselves.
 */
const weightOfDoubt = 0.35;
const weightOfPhrase = 0.4;
const weightOfRepeats = 0.4;
const suspicionMax = 0.78;
/** Limit for open segments, whose tokens are not evidence: the first syllables of our clips reach 0.75. */
const noSpeechMax = 0.78;

/**
 * Limit where there is certainly a voice: the text may be uncertain because of rare words, a telephone line, or a truncated word. (Clear speech reached
 * 0.96, and 1.05 where its first sound is missing; none of 440 noises has that much voice.)
 */
const suspicionOfVoiceMax = 1.05;
/** Length of a syllable; shorter voice activity counts proportionally less. */
const voicedSecondsEnough = 0.3;
/** Above this the recognizer is confident: speech with unknown names has -0.4, noise that gets a text -0.8 and less. */
const meanLogpSure = -0.6;
/** A single speaker is quiet between syllables: swing of 23 dB and more over a telephone, 15 to 45 dB at a distance. Six or more speakers at once stay below 17. */
const swingOfOneDb = 18;
/** A single speaker is voiced nearly all the time: words have a share of 0.86 and more, a pig 0.59. */
const voicedShareMin = 0.72;

/** @returns the guard that rejects the text, or undefined. */
export function rejectionReason(evidence: Evidence): string | undefined {
	const doubt = evidence.noSpeech - weightOfDoubt * evidence.meanLogp;
	const isDoubtful = evidence.open
		? evidence.noSpeech > noSpeechMax
		: doubt > doubtMax(evidence);
	if (isDoubtful) return "doubt";
	if (evidence.repeats && doubt + weightOfRepeats > suspicionMax)
		return "repetition";
	if (doubt + weightOfPhrase <= suspicionMax) return undefined;
	return isHallucination(evidence.text) ? "hallucination" : undefined;
}

function doubtMax({ voiceActivity, meanLogp, repeats }: Evidence): number {
	if (!voiceActivity || repeats) return suspicionMax;
	const { voicedSeconds, spanSeconds, swingDb } = voiceActivity;
	const isOneVoice =
		swingDb >= swingOfOneDb && voicedSeconds >= voicedShareMin * spanSeconds;
	if (meanLogp < meanLogpSure && !isOneVoice) return suspicionMax;
	const share = Math.min(1, voicedSeconds / voicedSecondsEnough);
	return suspicionMax + share * (suspicionOfVoiceMax - suspicionMax);
}

/** Whether the whole text consists of phrases from subtitles without speech. */
export function isHallucination(text: string): boolean {
	let rest = plain(text);
	if (rest === "") return false;
	for (const phrase of plainPhrases) {
		if (rest === phrase) return true;
		if (phrase.length > 3) rest = rest.replaceAll(phrase, "");
		if (rest === "") return true;
	}
	return isCredit(plain(text));
}

/** Maximum letters of a name after "subtitles by". */
const nameMax = 24;

function isCredit(text: string): boolean {
	return plainCredits.some(
		(it) => text.startsWith(it) && text.length <= it.length + nameMax,
	);
}

/** Letters and digits only, normalised in width and case. */
function plain(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "");
}

const plainPhrases = hallucinationPhrases
	.map(plain)
	.sort((a, b) => b.length - a.length);
const plainCredits = creditBeginnings.map(plain);
