/** What was recognized, however long it took: the port between the two ways of recognition and the formats of the answer. */
import { joinTexts } from "../../session/join-text.js";
import type { ResultSegment } from "../../tasks/result/result.js";
import type { Language } from "../../text/languages.js";

export interface Transcription {
	readonly language: Language;
	/** The recognizer identified it. */
	readonly isIdentified: boolean;
	readonly audioMs: number;
	/** The whole text, where it is there in one piece; else that of the segments. */
	readonly text?: string;
	/** With their confidence, where they were requested; else those of the segments. */
	readonly words?: readonly TimedWord[];
	/** Sentences or subtitle lines. May be read several times. */
	segments(): Iterable<ResultSegment>;
	/** The answer is sent, or nobody reads it. Idempotent. */
	release(): void;
}

export interface TimedWord {
	readonly text: string;
	readonly kind: "normal" | "modal" | "punc";
	readonly confidence: number;
}

export function textOf(transcription: Transcription): string {
	const { text, language } = transcription;
	if (text !== undefined) return text;
	const texts = Array.from(
		transcription.segments(),
		(segment) => segment.transcript,
	);
	return joinTexts(texts, language);
}

/** The words of a segment have its confidence: they are stored without one of their own. */
export function timedWordsOf(
	transcription: Transcription,
): readonly TimedWord[] {
	if (transcription.words) return transcription.words;
	return Array.from(transcription.segments(), ({ words = [], confidence }) =>
		words.map(({ word, type }) => ({ text: word, kind: type, confidence })),
	).flat();
}
