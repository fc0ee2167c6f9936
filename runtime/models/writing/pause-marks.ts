/**
 * Punctuation for models that write none, by rule: a comma where the next word is a while in coming, the end of a sentence after a longer pause and where the
 * segment has ended, a question mark where the wording asks. Whisper's own pass (whisper/punctuator.ts) needs its decoder; this needs only the times of tokens.
 */
import type { MarkStyle } from "../../text/punctuation.js";
import { type Insertion, type TextPiece, wordStarts } from "./transcript.js";

/** From the beginning of one token to that of the next; inside speech this is 0.1 to 0.4 s. */
const commaSeconds = 0.7;
const sentenceSeconds = 1.2;
/** Characters between two marks. */
const apartMin = 4;

/** Wording that asks, at the end of a sentence or at its beginning. */
const questionWording: Readonly<Record<MarkStyle, RegExp>> = {
	zh: /(?:吗|呢|嗎|是不是|对不对|好不好)$/u,
	ja: /(?:です|ます|でした|ました|ません|でしょう|だろう)か$/u,
	en: /^(?:(?:what|who|where|when|why|how|which) (?:is|are|was|were|do|does|did|can|could|will|would|should|have|has)|(?:do|does|did|is|are|was|were|can|could|will|would|should|have|has) (?:i|you|he|she|it|we|they|this|that|there)) /iu,
};

export interface TimedPieces {
	readonly pieces: readonly TextPiece[];
	/** Seconds at which each token begins. */
	readonly seconds: readonly number[];
	/** The segment may still grow: nothing has ended. */
	readonly open: boolean;
}

/** @returns the marks to insert, half width. */
export function pauseMarks(
	{ pieces, seconds, open }: TimedPieces,
	style: MarkStyle,
): Insertion[] {
	const starts = wordStarts(pieces, style);
	const marks: Insertion[] = [];
	let sentence = "";
	let characters = 0; // since the last mark
	pieces.forEach(({ text, tokenStart }, i) => {
		const before = pieces[i - 1];
		const pause = before
			? (seconds[tokenStart] ?? 0) - (seconds[before.tokenEnd - 1] ?? 0)
			: 0;
		if (pause >= commaSeconds && starts.has(i) && characters >= apartMin) {
			const ends = pause >= sentenceSeconds;
			marks.push({ before: i, mark: ends ? endMark(sentence, style) : "," });
			if (ends) sentence = "";
			characters = 0;
		}
		sentence += text;
		characters += [...text.trim()].length;
	});
	if (!open && sentence.trim() !== "")
		marks.push({ before: pieces.length, mark: endMark(sentence, style) });
	return marks;
}

function endMark(sentence: string, style: MarkStyle): "." | "?" {
	return questionWording[style].test(
		`${sentence.trim()}${style === "en" ? " " : ""}`,
	)
		? "?"
		: ".";
}
