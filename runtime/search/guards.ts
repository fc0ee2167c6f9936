/**
 * Guards against words that nobody said. A recognizer trained on subtitles answers noise with what subtitles hold when nobody speaks; its own doubt
 * gives it away: the probability of no speech, the mean probability of its tokens, and the words themselves.
 */
import {
	creditBeginnings,
	hallucinationPhrases,
} from "./hallucination-phrases.js";

export interface Evidence {
	/** Plain text, as found. */
	readonly text: string;
	/** Probability that nothing was said, before the first token. */
	readonly noSpeech: number;
	/** Mean log-probability of the tokens, the end token's included. */
	readonly meanLogp: number;
	/** The search ended in a circle, or the text compresses as only repetition does. */
	readonly repeats: boolean;
	/** What the sound says for itself; absent where nobody asked voice activity. */
	readonly voiceActivity?: VoiceEvidence;
	/** More may come: the last word is cut off, so its tokens are no evidence. */
	readonly open?: boolean;
}

export interface VoiceEvidence {
	/** In which voice activity is sure of speech. */
	readonly voicedSeconds: number;
	/** From the first of them to the last, without the pauses. */
	readonly spanSeconds: number;
	/** What the loud frames have over the quiet ones. */
	readonly swingDb: number;
}

/**
 * The weights separate our clips from noises, hum, hiss, tones, knocks and silence (each asked for in three languages): speech reached 0.65 (one
 * spoken letter), everything else began at 0.88 but for texts that go in circles.
 */
const weightOfDoubt = 0.35;
const weightOfPhrase = 0.4;
const weightOfRepeats = 0.4;
const suspicionMax = 0.78;
/** Of what is cut off, where the tokens tell nothing: the first syllables of our clips reach 0.75. */
const noSpeechMax = 0.78;

/**
 * Where there is a voice without doubt, a text may be uncertain: rare words, a telephone, a word cut off. (Clear speech reached 0.96, and 1.05 where its
 * first sound is missing; none of 440 noises has so much of a voice.)
 */
const suspicionOfVoiceMax = 1.05;
/** So much is a syllable. Less of it counts for less. */
const voicedSecondsEnough = 0.3;
/** A text that the recognizer itself is sure of: speech with unknown names has -0.4, noise that gets a text -0.8 and less. */
const meanLogpSure = -0.6;
/** One who talks is silent between the syllables: 23 dB and more over a telephone, 15 to 45 far away. Six and more who talk at once stay under 17. */
const swingOfOneDb = 18;
/** And is a voice all the time; words have 0.86 and more, a pig 0.59. */
const voicedShareMin = 0.72;

/** Which guard says that nothing was said, or nothing. */
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

/** Whether the whole text is made of what subtitles say when nobody speaks. */
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

/** Letters of a name behind "subtitles by". */
const nameMax = 24;

function isCredit(text: string): boolean {
	return plainCredits.some(
		(it) => text.startsWith(it) && text.length <= it.length + nameMax,
	);
}

/** Letters and digits only, in one width and case. */
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
