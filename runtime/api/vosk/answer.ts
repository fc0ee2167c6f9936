/** What a Vosk client is answered: the text so far, or a sentence that has ended. Times are seconds since the connection's first audio. */
import type { Utterance } from "../../session/events.js";
import { joinTexts } from "../../session/join-text.js";
import { probability } from "../../session/probability.js";
import type { Language } from "../../text/languages.js";
import type { VoskConfig } from "./client-message.js";

interface AnsweredWord {
	readonly word: string;
	readonly start: number;
	readonly end: number;
	/** 0 to 1. */
	readonly conf: number;
}

/** A sentence that has ended, or several, joined. */
export interface Sentence {
	readonly text: string;
	/** 0 to 1. */
	readonly confidence: number;
	readonly words: readonly AnsweredWord[];
}

const silence: Sentence = { text: "", confidence: 0, words: [] };

export function partialAnswer(text: string): string {
	return JSON.stringify({ partial: text });
}

export function finalAnswer(
	{ text, confidence, words }: Sentence,
	config: VoskConfig,
): string {
	const result = config.words && words.length > 0 ? { result: words } : {};
	return JSON.stringify(
		config.alternatives
			? { alternatives: [{ text, confidence, ...result }] }
			: { ...result, text },
	);
}

/** @param offsetMs of the recognition's first audio. */
export function sentenceOf(utterance: Utterance, offsetMs: number): Sentence {
	const { text, confidence, words } = utterance;
	const seconds = (ms: number) => Math.round(offsetMs + ms) / 1000;
	return {
		text,
		confidence: probability(confidence),
		words: words
			.filter(({ kind }) => kind !== "punc")
			.map((word) => ({
				word: word.text,
				conf: probability(word.confidence),
				start: seconds(word.startMs),
				end: seconds(word.endMs),
			})),
	};
}

export function joined(
	sentences: readonly Sentence[],
	language: Language,
): Sentence {
	if (sentences.length === 0) return silence;
	const texts = sentences.map(({ text }) => text);
	return {
		text: joinTexts(texts, language),
		confidence: Math.min(...sentences.map((it) => it.confidence)),
		words: sentences.flatMap(({ words }) => words),
	};
}
