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
	/** More may come: the last word is cut off, so its tokens are no evidence. */
	readonly open?: boolean;
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

/** Which guard says that nothing was said, or nothing. */
export function whyNotSaid(evidence: Evidence): string | undefined {
	const doubt = evidence.noSpeech - weightOfDoubt * evidence.meanLogp;
	if (evidence.open ? evidence.noSpeech > noSpeechMax : doubt > suspicionMax)
		return "doubt";
	if (evidence.repeats && doubt + weightOfRepeats > suspicionMax)
		return "repetition";
	if (doubt + weightOfPhrase <= suspicionMax) return undefined;
	return isHallucination(evidence.text) ? "hallucination" : undefined;
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
